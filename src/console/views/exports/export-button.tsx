import { Download } from "lucide-preact"
import { useMemo } from "preact/hooks"
import type { ApiResponse } from "../../../client/index.ts"
import { useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { type StartedExport, startedExports } from "./export-kinds.ts"

interface ExportButtonProps {
  kind: StartedExport["kind"]
  label: string
  start: () => Promise<ApiResponse<{ export_id: string; message: string }>>
}

/** Starts an export, and opens the list of exports, which has the progress and the file. */
export function ExportButton({ kind, label, start: call }: ExportButtonProps) {
  const me = useMe()
  const go = useNavigate()
  const { add } = useMemo(() => startedExports(me.id), [me.id])
  const start = useChange({ call: (_: undefined) => call(), invalidates: [] })
  return (
    <>
      <button
        type="button"
        disabled={start.isPending}
        onClick={() =>
          start.mutate(undefined, {
            onSuccess: ({ export_id }) => {
              add({ id: export_id, kind, at: Date.now() })
              go("/exports")
            },
          })
        }
      >
        <Download size={16} aria-hidden /> {label}
      </button>
      <ErrorMessage error={start.error} />
    </>
  )
}
