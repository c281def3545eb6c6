import { sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { settings } from "../../../drizzle/schema/settings.ts"
import { firstRow } from "../../db/client.ts"
import { countKeys } from "../../db/keyset.ts"
import { rawStatement } from "../../db/select.ts"
import { now } from "../../lib/clock.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { onDemand } from "../../lib/on-demand.ts"
import { academyZone } from "../../lib/text/zones.ts"
import { spreadsheetExport } from "../exports/export-kind.ts"
import { exportRoutes } from "../exports/exports.routes.ts"
import { matrixExport } from "./matrix.schemas.ts"
import { asOfTime, audienceReferences, requireCourses, selectMatrixPeople, whichCourses } from "./matrix-selection.ts"
import { matrixIterator, openMatrixSheet } from "./matrix-sheet.ts"

/** The most cells of a PDF, which is drawn at once. */
const MAX_PDF_CELLS = 5000

const matrixPdf = onDemand(() => import("./matrix-pdf.ts"))

interface Size {
  allowed: number
  people: number
  /** JSON */
  courseIds: string
  timeZone: string | null
}

export const matrixExportKind = spreadsheetExport<typeof matrixExport, Size>({
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
  check: {
    read: ({ db, caller }, filters) => {
      const references = audienceReferences(db, caller, filters)
      if (references)
        db.addCheck({ statement: references.statement, verify: (rows) => references.verify(rows as never) })
      return rawStatement<Size>(
        db,
        sql`select ${selectMatrixPeople(caller, filters).subject.allowed} as "allowed",
          ${countKeys(matrixIterator(caller, filters))} as "people",
          (
            select json_group_array(id) from (
              select ${courses.id} as id from ${courses} where ${whichCourses(caller, filters)}
            )
          ) as "courseIds",
          (select ${settings.timeZone} from ${settings}) as "timeZone"`,
      )
    },
    validate: ({ caller, env }, rows, filters) => {
      const { allowed, people, courseIds, timeZone } = firstRow(rows)
      if (!allowed) throw notFound(selectMatrixPeople(caller, filters).subject.unknown)
      asOfTime(filters, timeZone ?? academyZone(env), now())
      const ids: number[] = JSON.parse(courseIds)
      requireCourses(filters, ids)
      if ("format" in filters && filters.format === "pdf" && people * ids.length > MAX_PDF_CELLS)
        throw invalid(
          "format",
          `A PDF has at most ${MAX_PDF_CELLS} cells, and ${people} people in ${ids.length} courses are more. ` +
            "Narrow it, or choose another format.",
        )
    },
  },
})

export const matrixExports = exportRoutes(matrixExportKind)
