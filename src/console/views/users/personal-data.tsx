import { useEffect, useState } from "preact/hooks"
import type { DataOf } from "../../../client/types.ts"
import { api } from "../../api/client.ts"
import { useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Form, Select, TextField } from "../../ui/form.tsx"
import { Progress } from "../../ui/progress.tsx"
import { USER_QUERIES } from "./user-mutations.ts"

const POLL_MS = 1_500
const EXPORT = "/api/user/personal-data/export"
const ERASURE = "/api/user/erase/progress/{id}"

/** Exports everything that is stored about a person. */
function DataExport({ userId }: { userId: number }) {
  const me = useMe()
  const [exportId, setExportId] = useState<string>()
  const init = { params: { path: { exportId: exportId ?? "" } } }
  const progress = useRead(`${EXPORT}/progress/{exportId}`, init, {
    enabled: exportId !== undefined,
    pollMs: (data) => (data === undefined || data.status === "processing" ? POLL_MS : false),
  })
  const [finished, setFinished] = useState<typeof progress.data>()
  useEffect(() => {
    if (!progress.data || progress.data.status === "processing") return
    // Stops polling: an erasure would make the finished export expire.
    setFinished(progress.data)
    setExportId(undefined)
  }, [progress.data])
  const startExport = useChange({
    call: () => api.POST(EXPORT, { body: me.id === userId ? {} : { userId } }),
    invalidates: [],
  })
  const start = () => {
    setFinished(undefined)
    return startExport.mutateAsync(undefined).then(
      ({ export_id }) => setExportId(export_id),
      // `startExport.error` shows it.
      () => undefined,
    )
  }
  const isRunning = exportId !== undefined && !progress.error
  return (
    <>
      <p class="quiet">{t("users:data.about")}</p>
      <ErrorMessage error={startExport.error ?? progress.error} />
      {isRunning && <Progress label={t("users:data.progress")} value={progress.data?.progress ?? 0} />}
      {finished?.status === "failed" && (
        <p role="status" lang="en" dir="auto">
          {finished.message}
        </p>
      )}
      <p class="actions">
        {finished?.download_url && (
          <a class="button primary" href={finished.download_url} download={finished.filename ?? ""}>
            {t("users:data.download")}
          </a>
        )}
        <button type="button" disabled={startExport.isPending || isRunning} onClick={start}>
          {t("users:data.export")}
        </button>
      </p>
    </>
  )
}

type Reason = DataOf<typeof ERASURE, "get">["reason"]

const reasons = (): { value: Reason; label: string }[] => [
  { value: "requested", label: t("users:erase.reason.requested") },
  { value: "consent_withdrawn", label: t("users:erase.reason.consent_withdrawn") },
  { value: "objection", label: t("users:erase.reason.objection") },
  { value: "no_longer_needed", label: t("users:erase.reason.no_longer_needed") },
  { value: "unlawful", label: t("users:erase.reason.unlawful") },
  { value: "legal_obligation", label: t("users:erase.reason.legal_obligation") },
]

/** Explains the erasure, and asks for the user's email as confirmation. */
export function EraseDialog({ user, onClose }: { user: { id: number; name: string }; onClose: () => void }) {
  const erase = useChange({
    call: (body: { email: string; reason: Reason }) =>
      api.POST("/api/user/erase", { body: { userId: user.id, ...body } }),
    invalidates: USER_QUERIES,
  })
  return (
    <Dialog title={t("users:erase.title", { name: user.name })} onClose={onClose}>
      <Form
        submit={t("users:erase")}
        danger
        onSubmit={async (values) => {
          await erase.mutateAsync({ email: values.text("email"), reason: values.text("reason") as Reason })
          onClose()
        }}
      >
        <ul>
          <li>{t("users:erase.account")}</li>
          <li>{t("users:erase.data")}</li>
          <li>{t("users:erase.retained")}</li>
          <li>{t("users:erase.exports")}</li>
        </ul>
        <p>{t("irreversible")}</p>
        <Select name="reason" label={t("users:erase.reason")} options={reasons()} value="requested" />
        <TextField
          name="email"
          type="email"
          label={t("users:erase.email")}
          hint={t("users:erase.email-hint")}
          required
          autocomplete="off"
        />
      </Form>
    </Dialog>
  )
}

const isErased = ({ email }: { email: string }) => /^erased-\d+@erased\.invalid$/.test(email)

function ErasureProgress({ userId }: { userId: number }) {
  const progress = useRead(
    ERASURE,
    { params: { path: { id: userId } } },
    { pollMs: (data) => (data === undefined || data.status === "processing" ? POLL_MS : false) },
  )
  return (
    <Loaded query={progress}>
      {({ status, progress: percent }) =>
        status === "processing" ? (
          <Progress label={t("users:erase.progress")} value={percent} />
        ) : (
          <p role="status">{t("users:erase.done")}</p>
        )
      }
    </Loaded>
  )
}

interface PersonalDataProps {
  user: { id: number; name: string; email: string }
  canErase: boolean
}

/** Export and erasure of the personal data of a user. */
export function PersonalData({ user, canErase }: PersonalDataProps) {
  const [isErasing, setIsErasing] = useState(false)
  return (
    <section class="card" aria-labelledby="personal-data">
      <h2 id="personal-data">{t("users:data")}</h2>
      {isErased(user) ? (
        <ErasureProgress userId={user.id} />
      ) : (
        <>
          <DataExport userId={user.id} />
          {canErase && (
            <button type="button" class="danger" onClick={() => setIsErasing(true)}>
              {t("users:erase")}
            </button>
          )}
          {isErasing && <EraseDialog user={user} onClose={() => setIsErasing(false)} />}
        </>
      )}
    </section>
  )
}

/** The caller's own data, which everyone may export. */
export default function MyPersonalData() {
  const { id, name } = useMe()
  return <PersonalData user={{ id, name, email: "" }} canErase={false} />
}
