import { useEffect, useState } from "preact/hooks"
import type { DataOf } from "../../../client/types.ts"
import { api } from "../../api/client.ts"
import { useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { Loaded, Problem } from "../../ui/error-message.tsx"
import { Form, Select, TextField } from "../../ui/form.tsx"
import { Progress } from "../../ui/progress.tsx"
import { PEOPLE } from "./user-mutations.ts"

const ASKED_EVERY = 1_500
const EXPORT = "/api/user/personal-data/export"
const ERASURE = "/api/user/erase/progress/{id}"

/** Asks for everything that is stored about a person, and offers the file when it is ready. */
function DataExport({ userId }: { userId: number }) {
  const me = useMe()
  const [exportId, setExportId] = useState<string>()
  const init = { params: { path: { exportId: exportId ?? "" } } }
  const state = useRead(`${EXPORT}/progress/{exportId}`, init, {
    enabled: exportId !== undefined,
    every: (data) => (data === undefined || data.status === "processing" ? ASKED_EVERY : false),
  })
  const [ended, setEnded] = useState<typeof state.data>()
  useEffect(() => {
    if (!state.data || state.data.status === "processing") return
    // What has ended is not asked for again: an erasure lets it expire.
    setEnded(state.data)
    setExportId(undefined)
  }, [state.data])
  const begin = useChange({
    call: () => api.POST(EXPORT, { body: me.id === userId ? {} : { userId } }),
    changes: [],
  })
  const start = () => {
    setEnded(undefined)
    return begin.mutateAsync(undefined).then(
      ({ export_id }) => setExportId(export_id),
      // Shown as the change's own error.
      () => undefined,
    )
  }
  const isRunning = exportId !== undefined && !state.error
  return (
    <>
      <p class="quiet">{t("users:data.about")}</p>
      <Problem error={begin.error ?? state.error} />
      {isRunning && <Progress label={t("users:data.progress")} value={state.data?.progress ?? 0} />}
      {ended?.status === "failed" && (
        <p role="status" lang="en" dir="auto">
          {ended.message}
        </p>
      )}
      <p class="actions">
        {ended?.download_url && (
          <a class="button primary" href={ended.download_url} download={ended.filename ?? ""}>
            {t("users:data.download")}
          </a>
        )}
        <button type="button" disabled={begin.isPending || isRunning} onClick={start}>
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

/** Names what an erasure does, and asks for the person's email address before it begins. */
export function EraseDialog({ user, onClose }: { user: { id: number; name: string }; onClose: () => void }) {
  const erase = useChange({
    call: (body: { email: string; reason: Reason }) =>
      api.POST("/api/user/erase", { body: { userId: user.id, ...body } }),
    changes: PEOPLE,
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

/** An erased user keeps no address of their own. */
const isErased = ({ email }: { email: string }) => /^erased-\d+@erased\.invalid$/.test(email)

function ErasureProgress({ userId }: { userId: number }) {
  const state = useRead(
    ERASURE,
    { params: { path: { id: userId } } },
    { every: (data) => (data === undefined || data.status === "processing" ? ASKED_EVERY : false) },
  )
  return (
    <Loaded of={state}>
      {({ status, progress }) =>
        status === "processing" ? (
          <Progress label={t("users:erase.progress")} value={progress} />
        ) : (
          <p role="status">{t("users:erase.done")}</p>
        )
      }
    </Loaded>
  )
}

interface PersonalDataProps {
  user: { id: number; name: string; email: string }
  mayErase: boolean
}

/** What is stored about a person: to be exported, or to be erased. */
export function PersonalData({ user, mayErase }: PersonalDataProps) {
  const [asks, setAsks] = useState(false)
  return (
    <section class="card" aria-labelledby="personal-data">
      <h2 id="personal-data">{t("users:data")}</h2>
      {isErased(user) ? (
        <ErasureProgress userId={user.id} />
      ) : (
        <>
          <DataExport userId={user.id} />
          {mayErase && (
            <button type="button" class="danger" onClick={() => setAsks(true)}>
              {t("users:erase")}
            </button>
          )}
          {asks && <EraseDialog user={user} onClose={() => setAsks(false)} />}
        </>
      )}
    </section>
  )
}

/** The caller's own data: anyone may export it. */
export default function MyPersonalData() {
  const { id, name } = useMe()
  return <PersonalData user={{ id, name, email: "" }} mayErase={false} />
}
