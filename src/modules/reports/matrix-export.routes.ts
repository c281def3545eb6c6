import { onDemand } from "../../lib/on-demand.ts"
import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { matrixExport } from "./matrix.schemas.ts"
import { MAX_PDF_CELLS, matrixCheck } from "./matrix-check.ts"
import { openMatrixSheet } from "./matrix-sheet.ts"

const matrixPdf = onDemand(() => import("./matrix-pdf.ts"))

export const matrixExportKind = spreadsheetExport({
  name: "compliance matrix",
  title: "the compliance matrix",
  description: `A PDF has at most ${MAX_PDF_CELLS} cells.`,
  filePrefix: "compliance-matrix",
  access: "group_admin",
  extension: true,
  path: "/api/reports/compliance-matrix/export",
  progress: "/api/reports/compliance-matrix/export/progress/{exportId}",
  cancel: "/api/reports/compliance-matrix/export/cancel/{exportId}",
  download: "/api/reports/compliance-matrix/export/download/{exportId}",
  body: matrixExport,
  open: openMatrixSheet,
  writePdf: async function* (source, filters) {
    yield* (await matrixPdf()).writeMatrixPdf(source, filters)
  },
  check: matrixCheck,
})

export const matrixExports = exportRoutes(matrixExportKind)
