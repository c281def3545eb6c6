import { exportKind } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { personalDataCheck, personalDataFile } from "./personal-data.export.ts"
import { personalDataExport } from "./personal-data.schemas.ts"

export const personalDataExportKind = exportKind({
  name: "personal data",
  title: "a person's data",
  filePrefix: "personal-data",
  fileExtensions: ["zip"],
  access: "general",
  extension: true,
  description: [
    "A zip archive of the personal data of a user as JSON, with their files.",
    "Users can export their own data, administrators that of others; only owners that of owners.",
  ].join(" "),
  path: "/api/user/personal-data/export",
  progress: "/api/user/personal-data/export/progress/{exportId}",
  cancel: "/api/user/personal-data/export/cancel/{exportId}",
  download: "/api/user/personal-data/export/download/{exportId}",
  body: personalDataExport,
  write: personalDataFile,
  check: personalDataCheck,
  auditDetails: ({ userId }) => (userId === undefined ? {} : { userId }),
})

export const personalDataExports = exportRoutes(personalDataExportKind)
