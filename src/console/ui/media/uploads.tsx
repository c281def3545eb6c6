import { useState } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import { DropZone } from "../drop-zone.tsx"
import { useUnsavedChanges } from "../unsaved-changes.ts"
import type { MediaKind } from "./media-kind.ts"
import { ACCEPT } from "./media-kind.ts"
import { type RunningUpload, uploadFile } from "./upload.ts"
import { UploadRow } from "./upload-row.tsx"
import "./media.css"

interface UploadsProps {
  kinds: readonly MediaKind[]
  /** Called with the id of each complete file. */
  onDone?: (mediaId: number) => void
}

/** Uploads files one after the other chosen, each with its progress. */
export function Uploads({ kinds, onDone }: UploadsProps) {
  const [uploads, setUploads] = useState<readonly RunningUpload[]>([])
  const remove = (upload: RunningUpload) => setUploads((current) => current.filter((other) => other !== upload))
  const add = (file: File) => {
    const upload = uploadFile(file, (mediaId) => {
      remove(upload)
      onDone?.(mediaId)
    })
    setUploads((current) => [...current, upload])
  }
  useUnsavedChanges(uploads.length > 0, () => {
    for (const upload of uploads) upload.pause()
  })
  return (
    <div class="uploads">
      <DropZone
        label={t("media:upload")}
        hint={t("media:upload.hint")}
        accept={kinds.flatMap((kind) => ACCEPT[kind]).join(",")}
        onFile={add}
      />
      {uploads.map((upload) => (
        <UploadRow key={upload} upload={upload} onCancel={() => remove(upload)} />
      ))}
    </div>
  )
}
