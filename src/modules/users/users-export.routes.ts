import type { RunnableQuery } from "drizzle-orm/runnable-query"
import { NO_ONE } from "../../access/audience-condition.schema.ts"
import { checkAudience } from "../../access/audience-condition.ts"
import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { openUserSheet } from "./users.export.ts"
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
  check: {
    read: ({ db, caller }, { search_param: { audience } }) =>
      checkAudience(db, caller, audience ?? NO_ONE).statement as RunnableQuery<unknown[], "sqlite">,
    validate: ({ db, caller }, rows, { search_param: { audience } }) =>
      checkAudience(db, caller, audience ?? NO_ONE).verify(rows as never),
  },
})

export const usersExport = exportRoutes(usersExportKind)
