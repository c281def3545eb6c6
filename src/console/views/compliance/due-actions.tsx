import type { ApiResponse } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { Form, TextArea, TextField, type Values } from "../../ui/form.tsx"

export const DUE_ACTIONS = ["remind", "extend", "exempt", "end-exemption"] as const
/** `due-date` sets the first due date of an enrollment. */
export type DueAction = (typeof DUE_ACTIONS)[number] | "due-date"

const WITH_REASON: readonly DueAction[] = ["extend", "exempt"]

const MAX_REASON = 500

/** What to read again after a due date changed. */
const DUE_QUERIES = ["/api/due", "/api/reports", "/api/transcript"] as const

async function perform(
  action: DueAction,
  registrationIds: number[],
  values: Values,
): Promise<ApiResponse<{ message: string }>> {
  const reason = values.text("reason")
  if (action === "remind") return await api.POST("/api/enrollment/remind", { body: { registrationIds } })
  if (action === "extend")
    return await api.POST("/api/enrollment/extend", {
      body: { registrationIds, dueAt: values.text("dueAt"), reason },
    })
  if (action === "end-exemption") return await api.POST("/api/enrollment/end-exemption", { body: { registrationIds } })
  if (action === "due-date")
    return await api.POST("/api/enrollment/due-date", {
      body: { registrationIds, dueAt: values.text("dueAt") },
    })
  const until = values.optional("until")
  return await api.POST("/api/enrollment/exempt", { body: { registrationIds, reason, ...(until && { until }) } })
}

interface DueActionDialogProps {
  action: DueAction
  enrollments: readonly { id: number; name: string }[]
  onDone: () => void
  onClose: () => void
}

/** Reminds people, extends their due dates, or exempts them. */
export function DueActionDialog({ action, enrollments, onDone, onClose }: DueActionDialogProps) {
  const change = useChange({
    call: (values: Values) =>
      perform(
        action,
        enrollments.map(({ id }) => id),
        values,
      ),
    invalidates: DUE_QUERIES,
  })
  return (
    <Dialog title={t(`compliance:${action}`)} onClose={onClose}>
      <Form
        submit={t(`compliance:${action}`)}
        onSubmit={async (values) => {
          await change.mutateAsync(values)
          onDone()
          onClose()
        }}
        more={<CancelButton />}
      >
        <p>{t(`compliance:${action}.about`)}</p>
        <ul class="plain-list scrolls">
          {enrollments.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
        {action === "extend" && <TextField name="dueAt" type="date" label={t("compliance:new-due-date")} required />}
        {action === "due-date" && <TextField name="dueAt" type="date" label={t("compliance:due")} required />}
        {action === "exempt" && (
          <TextField name="until" type="date" label={t("compliance:until")} hint={t("compliance:until.hint")} />
        )}
        {WITH_REASON.includes(action) && (
          <TextArea name="reason" label={t("compliance:reason")} rows={2} maxLength={MAX_REASON} required />
        )}
      </Form>
    </Dialog>
  )
}
