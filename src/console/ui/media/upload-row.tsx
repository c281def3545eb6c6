import { useStore } from "../../api/store.ts"
import { number, t } from "../../messages/messages.ts"
import { ErrorMessage } from "../error-message.tsx"
import type { RunningUpload } from "./upload.ts"

const MEGABYTE = 1_000_000

/** A size in MB; below one in KB. */
export const formatBytes = (bytes: number) =>
  bytes < MEGABYTE
    ? number(Math.ceil(bytes / 1000), { style: "unit", unit: "kilobyte" })
    : number(bytes / MEGABYTE, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 })

/** The progress of an upload, with buttons to pause, resume and cancel it. */
export function UploadRow({ upload, onCancel }: { upload: RunningUpload; onCancel: () => void }) {
  const { name, sent, total, state, error } = useStore(upload.progress)
  const isOpen = state !== "done" && state !== "failed"
  return (
    <div class="upload">
      <p>
        <strong dir="auto">{name}</strong>{" "}
        <span class="quiet" role="status">
          {t(`media:upload.${state}`, { sent: formatBytes(sent), total: formatBytes(total) })}
        </span>
      </p>
      <progress max={total} value={sent} aria-label={t("media:upload.progress", { name })} />
      {state === "failed" && <ErrorMessage error={error} />}
      <div class="actions">
        {(state === "running" || state === "waiting") && (
          <button type="button" onClick={upload.pause}>
            {t("media:upload.pause")}
          </button>
        )}
        {(state === "paused" || state === "failed") && (
          <button type="button" onClick={upload.resume}>
            {t("media:upload.resume")}
          </button>
        )}
        {state !== "done" && (
          <button
            type="button"
            onClick={() => {
              upload.cancel()
              onCancel()
            }}
          >
            {isOpen ? t("cancel") : t("media:upload.remove")}
          </button>
        )}
      </div>
    </div>
  )
}
