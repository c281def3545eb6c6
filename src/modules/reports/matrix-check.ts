import { sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { settings } from "../../../drizzle/schema/settings.ts"
import { firstRow } from "../../db/client.ts"
import { countKeys } from "../../db/keyset.ts"
import { rawStatement } from "../../db/select.ts"
import { now } from "../../lib/clock.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { academyZone } from "../../lib/text/zones.ts"
import type { ExportCheck } from "../exports/export-files.ts"
import type { MatrixFilters } from "./matrix.schemas.ts"
import { asOfTime, audienceReferences, requireCourses, selectMatrixPeople, whichCourses } from "./matrix-selection.ts"
import { matrixIterator } from "./matrix-sheet.ts"

/** The most cells of a PDF, which is drawn at once. */
export const MAX_PDF_CELLS = 5000

export interface MatrixSize {
  allowed: number
  people: number
  /** JSON */
  courseIds: string
  timeZone: string | null
}

/** Refuses what the matrix refuses, and a PDF that is too large. */
export const matrixCheck: ExportCheck<MatrixFilters, MatrixSize> = {
  read: ({ db, caller }, filters) => {
    const references = audienceReferences(db, caller, filters)
    if (references) db.addCheck({ statement: references.statement, verify: (rows) => references.verify(rows as never) })
    return rawStatement<MatrixSize>(
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
}
