import { useEffect, useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { invalidatePaths, useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextArea } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { Progress } from "../../ui/progress.tsx"
import { parsePeople } from "./invited-people.ts"

const POLL_MS = 500
const MAX_PEOPLE = 500
const QUERIES = ["/api/course", "/api/user"]

/** The progress of the invitations, and those that failed. */
function Invitations({ id, onClose }: { id: number; onClose: () => void }) {
  const progress = useRead(
    "/api/user/bulkUpload/progress/{uploadId}",
    { params: { path: { uploadId: id } } },
    { pollMs: (upload) => (upload?.status === "completed" ? false : POLL_MS) },
  )
  const status = progress.data?.status
  useEffect(() => {
    if (status === "completed") invalidatePaths(QUERIES)
  }, [status])
  return (
    <Loaded query={progress}>
      {({ progress: percent, created, existing, failed, errors }) =>
        status === "completed" ? (
          <div role="status">
            <dl class="facts">
              <dt>{t("courses:invite.invited")}</dt>
              <dd>{number(created)}</dd>
              <dt>{t("courses:invite.enrolled")}</dt>
              <dd>{number(existing)}</dd>
              {failed > 0 && (
                <>
                  <dt>{t("courses:invite.failed")}</dt>
                  <dd>{number(failed)}</dd>
                </>
              )}
            </dl>
            {errors.length > 0 && (
              <ul lang="en" dir="auto">
                {errors.map(({ row, email, reasons }) => (
                  <li key={row}>
                    {email}: {reasons.join(" ")}
                  </li>
                ))}
              </ul>
            )}
            <div class="actions">
              <button type="button" class="primary" onClick={onClose}>
                {t("close")}
              </button>
            </div>
          </div>
        ) : (
          <Progress label={t("courses:invite.sending")} value={percent} />
        )
      }
    </Loaded>
  )
}

interface InviteDialogProps {
  course: Pick<Schemas["Course"], "id" | "name" | "status">
  onClose: () => void
}

/** Enrolls people: by address, with an invitation for those without an account, or by search. */
export function InviteDialog({ course, onClose }: InviteDialogProps) {
  const [selected, select] = useState<readonly Choice[]>([])
  const [text, setText] = useState("")
  const [uploadId, setUploadId] = useState<number>()
  const { people, invalid } = parsePeople(text)
  const isOverLimit = people.length > MAX_PEOPLE
  const enroll = useChange({
    call: (user_ids: number[]) => api.POST("/api/course/enroll", { body: { course_ids: [course.id], user_ids } }),
    invalidates: QUERIES,
  })
  const invite = useChange({
    call: () =>
      api.POST("/api/user/bulkUpload", {
        body: { userList: people.map((person) => ({ ...person })), selectedCourses: [course.id] },
      }),
    invalidates: [],
    // The dialog shows the result.
    successMessage: "",
  })
  return (
    <Dialog title={t("courses:invite.to", { name: course.name })} onClose={onClose}>
      {uploadId !== undefined ? (
        <Invitations id={uploadId} onClose={onClose} />
      ) : (
        <Form
          submit={t("courses:invite.send")}
          isReady={people.length + selected.length > 0 && invalid.length === 0 && !isOverLimit}
          onSubmit={async () => {
            if (selected.length > 0) await enroll.mutateAsync(selected.map(({ id }) => id))
            if (people.length === 0) return onClose()
            const { upload_id } = await invite.mutateAsync(undefined)
            if (upload_id !== null) setUploadId(upload_id)
          }}
          more={<CancelButton />}
        >
          {course.status === "draft" && <p class="notice">{t("courses:invite.draft")}</p>}
          <TextArea
            name="emails"
            label={t("courses:invite.emails")}
            hint={t("courses:invite.hint")}
            rows={4}
            autofocus
            dir="ltr"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          {invalid.length > 0 && (
            <p class="field-error">{t("courses:invite.invalid", { text: invalid.slice(0, 3).join(", ") })}</p>
          )}
          {isOverLimit && <p class="field-error">{t("courses:invite.limit", { shown: number(MAX_PEOPLE) })}</p>}
          <Picker
            name="user_ids"
            label={t("courses:invite.existing")}
            path="/api/users/tabularlist"
            query={(nameOrEmail) => ({ search_param: { nameOrEmail } })}
            toChoice={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name}, ${email}` })}
            selected={selected}
            onSelect={select}
          />
        </Form>
      )}
    </Dialog>
  )
}
