import { t } from "../../messages/messages.ts"
import { CopyField } from "../../ui/copy-field.tsx"
import { Dialog } from "../../ui/dialog.tsx"

/** Shows a secret that can only be copied now. */
export function SecretDialog({
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
