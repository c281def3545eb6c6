import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { Form, TextArea, TextField } from "../../ui/form.tsx"

const MAX_SUBJECT = 200
const MAX_TEXT = 5000
/** How many names are shown. */
const MAX_NAMES = 10

interface MessageDialogProps {
  people: readonly { id: number; name: string }[]
  onDone: () => void
  onClose: () => void
}

/** Writes a message to the selected people. */
export default function MessageDialog({ people, onDone, onClose }: MessageDialogProps) {
  // Someone can be selected in several courses.
  const recipients = [...new Map(people.map((person) => [person.id, person])).values()]
  const send = useChange({
    call: (body: Schemas["MessageToPeople"]) => api.POST("/api/notifications/message", { body }),
    invalidates: [],
    successMessage: ({ sent }) => t("teaching:message.sent", { count: sent, shown: number(sent) }),
  })
  const names = recipients.slice(0, MAX_NAMES).map(({ name }) => name)
  const more = recipients.length - names.length
  return (
    <Dialog title={t("teaching:message")} onClose={onClose}>
      <Form
        submit={t("teaching:message.send")}
        onSubmit={async (values) => {
          const { form } = values
          await send.mutateAsync({
            user_ids: recipients.map(({ id }) => id),
            subject: values.text("subject"),
            text: String(form.get("text") ?? ""),
          })
          onDone()
          onClose()
        }}
        more={<CancelButton />}
      >
        <p>
          <span class="quiet">{t("teaching:message.to")}</span> {names.join(", ")}
          {more > 0 && ` ${t("teaching:message.more", { count: more, shown: number(more) })}`}
        </p>
        <TextField name="subject" label={t("teaching:message.subject")} maxLength={MAX_SUBJECT} required dir="auto" />
        <TextArea
          name="text"
          label={t("teaching:message.text")}
          hint={t("teaching:message.hint")}
          rows={7}
          maxLength={MAX_TEXT}
          required
          dir="auto"
        />
      </Form>
    </Dialog>
  )
}
