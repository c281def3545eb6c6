import { render } from "preact"
import { t } from "../messages/messages.ts"
import { CancelButton, Dialog } from "./dialog.tsx"
import { Form, TextField } from "./form.tsx"

interface Question {
  title: string
  label: string
  hint?: string
  value: string
  maxLength: number
}

/**
 * Asks for a text in a dialog outside of the current form.
 * @returns undefined if the dialog was closed
 */
export function askText({ title, label, hint, value, maxLength }: Question): Promise<string | undefined> {
  const container = document.createElement("div")
  document.body.append(container)
  return new Promise((resolve) => {
    const close = (answer?: string) => {
      render(null, container)
      container.remove()
      resolve(answer)
    }
    render(
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
            defaultValue={value}
          />
        </Form>
      </Dialog>,
      container,
    )
  })
}
