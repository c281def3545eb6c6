import { useId, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"

interface DropZoneProps {
  label: string
  hint?: string
  accept: string
  onFile: (file: File) => void
}

/** Selects a file by drag and drop or by file dialog. */
export function DropZone({ label, hint, accept, onFile }: DropZoneProps) {
  const id = useId()
  const [isDraggedOver, setIsDraggedOver] = useState(false)
  const [name, setName] = useState("")
  const select = (file: File | undefined | null) => {
    if (!file) return
    setName(file.name)
    onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the file input is the keyboard alternative
    <div
      class={isDraggedOver ? "drop-zone over" : "drop-zone"}
      onDragOver={(event) => {
        event.preventDefault()
        setIsDraggedOver(true)
      }}
      onDragLeave={() => setIsDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsDraggedOver(false)
        select(event.dataTransfer?.files[0])
      }}
    >
      <label for={id}>{label}</label>
      <input
        id={id}
        type="file"
        accept={accept}
        onClick={(event) => {
          // The browser reports only a change, but the same file may be selected again, such as after an error.
          event.currentTarget.value = ""
        }}
        onChange={(event) => select(event.currentTarget.files?.[0])}
      />
      <p class="quiet">{name || hint || t("drop.hint")}</p>
    </div>
  )
}
