import { Download } from "lucide-preact"
import { useMemo } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { useNavigate, useUrlState } from "../../ui/url-state.ts"
import { EXPORT_PATHS, startedExports } from "../exports/export-kinds.ts"
import { dueStatusOptions } from "./statuses.tsx"

/** Exports the filtered list, and opens the list of exports, which has the progress and the file. */
export function DueExport() {
  const me = useMe()
  const go = useNavigate()
  const { query } = useUrlState()
  const { add } = useMemo(() => startedExports(me.id), [me.id])
  const start = useChange({
    call: () => {
      const status = dueStatusOptions().find(({ value }) => value === query.dueStatus)?.value
      const search_param = {
        ...(query.nameOrEmail && { nameOrEmail: query.nameOrEmail }),
        ...(status && { dueStatus: [status] }),
      }
      return api.POST(EXPORT_PATHS.due, { body: { search_param } })
    },
    invalidates: [],
  })
  return (
    <>
      <button
        type="button"
        disabled={start.isPending}
        onClick={() =>
          start.mutate(undefined, {
            onSuccess: ({ export_id }) => {
              add({ id: export_id, kind: "due", at: Date.now() })
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
