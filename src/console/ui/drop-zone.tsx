import { useId, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"

interface DropZoneProps {
  label: string
  hint?: string
  /** As an input's `accept`. */
  accept: string
  onFile: (file: File) => void
}

/** Takes a file that is dropped, or chosen. */
export function DropZone({ label, hint, accept, onFile }: DropZoneProps) {
  const id = useId()
  const [over, setOver] = useState(false)
  const [name, setName] = useState("")
  const take = (file: File | undefined | null) => {
    if (!file) return
    setName(file.name)
    onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut; the input within does it by keyboard
    <div
      class={over ? "drop-zone over" : "drop-zone"}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        take(event.dataTransfer?.files[0])
      }}
    >
      <label for={id}>{label}</label>
      <input id={id} type="file" accept={accept} onChange={(event) => take(event.currentTarget.files?.[0])} />
      <p class="quiet">{name || hint || t("drop.hint")}</p>
    </div>
  )
}
