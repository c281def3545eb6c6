import { Download } from "lucide-preact"
import { useMemo } from "preact/hooks"
import type { ApiResponse } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { useNavigate, useUrlState } from "../../ui/url-state.ts"
import { EXPORT_PATHS, startedExports } from "../exports/export-kinds.ts"
import { dueStatusOptions } from "./statuses.tsx"

interface ExportButtonProps {
  kind: "due" | "team"
  start: () => Promise<ApiResponse<{ export_id: string; message: string }>>
}

/** Starts an export, and opens the list of exports, which has the progress and the file. */
function ExportButton({ kind, start: call }: ExportButtonProps) {
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
        <Download size={16} aria-hidden /> {t("compliance:export.list")}
      </button>
      <ErrorMessage error={start.error} />
    </>
  )
}

/** Exports the filtered list. */
export function DueExport() {
  const { query } = useUrlState()
  const status = dueStatusOptions().find(({ value }) => value === query.dueStatus)?.value
  const search_param = {
    ...(query.nameOrEmail && { nameOrEmail: query.nameOrEmail }),
    ...(status && { dueStatus: [status] }),
  }
  return <ExportButton kind="due" start={() => api.POST(EXPORT_PATHS.due, { body: { search_param } })} />
}

/** Exports the people of a group, or of the caller's team, with the numbers of their due training. */
export const TeamExport = ({ groupId }: { groupId: number | undefined }) => (
  <ExportButton
    kind="team"
    start={() => api.POST(EXPORT_PATHS.team, { body: groupId === undefined ? {} : { group_id: groupId } })}
  />
)
