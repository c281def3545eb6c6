import { t } from "../../messages/messages.ts"
import { CopyField } from "../../ui/copy-field.tsx"
import { Dialog } from "../../ui/dialog.tsx"

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
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
      <CopyField name="secret" label={label} value={value} />
      <div class="actions">
        <button type="button" onClick={onClose}>
          {t("close")}
        </button>
      </div>
    </Dialog>
  )
}
