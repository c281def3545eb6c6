import { sql } from "drizzle-orm"
import { users } from "../../../drizzle/schema/users.ts"
import { firstRow } from "../../db/client.ts"
import { counter } from "../../db/sql.ts"
import { notFound } from "../../lib/errors.ts"
import { sheet } from "../../lib/spreadsheet/sheet.ts"
import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { dueTeamExport, type TeamFilters } from "./due.schemas.ts"
import { teamColumns } from "./due-columns.ts"
import { selectExportAllowed } from "./due-list.export.ts"
import { dueSubject } from "./due-selection.ts"

const wholeTeam = ({ group_id, portalId, supervisor_id }: TeamFilters) => ({
  ...{ user_id: undefined, group_id, portalId, supervisor_id },
})

export const dueTeamExportKind = spreadsheetExport({
  name: "due team",
  title: "the due training of a team",
  filePrefix: "team-training",
  access: "group_admin",
  extension: true,
  path: "/api/due/team/export",
  progress: "/api/due/team/export/progress/{exportId}",
  cancel: "/api/due/team/export/cancel/{exportId}",
  download: "/api/due/team/export/download/{exportId}",
  body: dueTeamExport,
  open: async (db, caller, filters) => {
    const { members, allowed } = dueSubject(caller, wholeTeam(filters))
    const ids =
      members && sql`select ${members.set.userId} as id from ${members.set.from} where ${members.set.condition}`
    return sheet(db, {
      headers: teamColumns.names,
      iterator: {
        table: users,
        key: users.id,
        fields: teamColumns.fields,
        filters: [...(ids ? [{ test: sql`1`, ids }] : []), { test: allowed }],
        ...(!members && { total: counter("users") }),
      },
      toCells: (row) => teamColumns.toCells(row),
    })
  },
  check: {
    read: ({ db, caller }, filters) => selectExportAllowed(db, caller, wholeTeam(filters)),
    validate: ({ caller }, rows, filters) => {
      if (!firstRow(rows).allowed) throw notFound(dueSubject(caller, wholeTeam(filters)).unknown)
    },
  },
})

export const dueTeamExports = exportRoutes(dueTeamExportKind)
