import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { useUrlState } from "../../ui/url-state.ts"
import { ExportButton } from "../exports/export-button.tsx"
import { EXPORT_PATHS } from "../exports/export-kinds.ts"
import { dueStatusOptions } from "./statuses.tsx"

/** Exports the filtered list. */
export function DueExport() {
  const { query } = useUrlState()
  const status = dueStatusOptions().find(({ value }) => value === query.dueStatus)?.value
  const search_param = {
    ...(query.nameOrEmail && { nameOrEmail: query.nameOrEmail }),
    ...(status && { dueStatus: [status] }),
  }
  return (
    <ExportButton
      kind="due"
      label={t("compliance:export.list")}
      start={() => api.POST(EXPORT_PATHS.due, { body: { search_param } })}
    />
  )
}

/** Exports the people of a group, or of the caller's team, with the numbers of their due training. */
export const TeamExport = ({ groupId }: { groupId: number | undefined }) => (
  <ExportButton
    kind="team"
    label={t("compliance:export.list")}
    start={() => api.POST(EXPORT_PATHS.team, { body: groupId === undefined ? {} : { group_id: groupId } })}
  />
)
