import { firstRow } from "../../db/client.ts"
import { notFound } from "../../lib/errors.ts"
import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { dueTeamExport } from "./due.schemas.ts"
import { selectExportAllowed } from "./due-list.export.ts"
import { dueSubject } from "./due-selection.ts"
import { openDueTeamSheet, wholeTeam } from "./due-team.export.ts"

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
  open: openDueTeamSheet,
  check: {
    read: ({ db, caller }, filters) => [selectExportAllowed(db, caller, wholeTeam(filters))],
    validate: ({ caller }, [rows], filters) => {
      if (!firstRow(rows).allowed) throw notFound(dueSubject(caller, wholeTeam(filters)).unknown)
    },
  },
})

export const dueTeamExports = exportRoutes(dueTeamExportKind)
