import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { audienceCheck, openUserSheet } from "./users.export.ts"
import { userExport } from "./users.schemas.ts"

export const usersExportKind = spreadsheetExport({
  name: "users",
  title: "users",
  filePrefix: "users",
  access: "group_admin",
  path: "/api/users/export",
  progress: "/api/users/export/progress/{exportId}",
  cancel: "/api/users/export/cancel/{exportId}",
  download: "/api/users/export/download/{exportId}",
  body: userExport,
  open: openUserSheet,
  check: audienceCheck,
})

export const usersExport = exportRoutes(usersExportKind)
