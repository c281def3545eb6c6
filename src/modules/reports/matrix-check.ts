import { sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { settings } from "../../../drizzle/schema/settings.ts"
import { NO_ONE } from "../../access/audience-condition.schema.ts"
import { checkAudience, type MissingReferences } from "../../access/audience-condition.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { countKeys } from "../../db/keyset.ts"
import { rawStatement } from "../../db/select.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { academyZone } from "../../lib/text/zones.ts"
import type { ExportCheck } from "../exports/export-files.ts"
import type { MatrixFilters } from "./matrix.schemas.ts"
import { asOfTime, requireCourses, selectMatrixPeople, whichCourses } from "./matrix-selection.ts"
import { matrixIterator } from "./matrix-sheet.ts"

/** The most cells of a PDF, which is drawn at once. */
export const MAX_PDF_CELLS = 5000

interface MatrixSize {
  allowed: number
  /** Counted for a PDF only. */
  people: number
  /** JSON */
  courseIds: string
  timeZone: string | null
}

const isPdf = (filters: MatrixFilters) => "format" in filters && filters.format === "pdf"

const audienceReferences = (db: Database, caller: Caller, { search_param: { audience } }: MatrixFilters) =>
  checkAudience(db, caller, audience ?? NO_ONE)

/** Refuses what the matrix refuses, and a PDF that is too large. */
export const matrixCheck: ExportCheck<MatrixFilters, [MatrixSize[], MissingReferences[]]> = {
  read: ({ db, caller }, filters) => [
    rawStatement<MatrixSize>(
      db,
      sql`select ${selectMatrixPeople(caller, filters).subject.allowed} as "allowed",
          ${isPdf(filters) ? countKeys(matrixIterator(caller, filters)) : sql`0`} as "people",
          (
            select json_group_array(id) from (
              select ${courses.id} as id from ${courses} where ${whichCourses(caller, filters)}
            )
          ) as "courseIds",
          (select ${settings.timeZone} from ${settings}) as "timeZone"`,
    ),
    audienceReferences(db, caller, filters).statement,
  ],
  validate: ({ db, caller, env }, [sizes, missing], filters) => {
    audienceReferences(db, caller, filters).verify(missing)
    const { allowed, people, courseIds, timeZone } = firstRow(sizes)
    if (!allowed) throw notFound(selectMatrixPeople(caller, filters).subject.unknown)
    asOfTime(filters, timeZone ?? academyZone(env), now())
    const ids: number[] = JSON.parse(courseIds)
    requireCourses(filters, ids)
    if (isPdf(filters) && people * ids.length > MAX_PDF_CELLS)
      throw invalid(
        "format",
        `A PDF has at most ${MAX_PDF_CELLS} cells, and ${people} people in ${ids.length} courses are more. ` +
          "Narrow it, or choose another format.",
      )
  },
}
