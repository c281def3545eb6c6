import { t } from "../messages/messages.ts"
import { CancelButton, Dialog } from "./dialog.tsx"
import { openDialog } from "./dialog-host.tsx"
import { Form, TextField } from "./form.tsx"

interface Question {
  title: string
  label: string
  hint?: string
  value: string
  maxLength: number
}

/** Asks for a text in a dialog. @returns undefined if the dialog was closed */
export const askText = ({ title, label, hint, value, maxLength }: Question): Promise<string | undefined> =>
  openDialog((close) => (
    <Dialog title={title} onClose={() => close()}>
      <Form
        submit={t("save")}
        more={<CancelButton />}
        onSubmit={async (values) => close(values.text("text"))}
        isAutoSaved
      >
        <TextField
          name="text"
          label={label}
          {...(hint && { hint })}
          maxLength={maxLength}
          dir="auto"
          autoFocus
          defaultValue={value}
        />
      </Form>
    </Dialog>
  ))
