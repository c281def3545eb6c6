import { useRef } from "preact/hooks"
import { announce } from "../../api/announce.ts"
import { t } from "../../messages/messages.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { Field } from "../../ui/form.tsx"

/** Tells what is told once: to be copied before the dialog is closed. */
export function Secret({
  title,
  about,
  label,
  value,
  onClose,
}: {
  title: string
  about: string
  label: string
  value: string
  onClose: () => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      announce(t("copied"))
    } catch {
      // Where the browser refuses, it stands chosen, to be copied by hand.
      input.current?.select()
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
      <Field name="secret" label={label}>
        {(attributes) => (
          <input {...attributes} ref={input} class="secret" dir="ltr" type="text" readOnly value={value} />
        )}
      </Field>
      <div class="actions">
        <button type="button" class="primary" onClick={copy}>
          {t("copy")}
        </button>
        <button type="button" onClick={onClose}>
          {t("close")}
        </button>
      </div>
    </Dialog>
  )
}
