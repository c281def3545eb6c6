import { sql } from "drizzle-orm"
import { users } from "../../../drizzle/schema/users.ts"
import { checkAudience } from "../../access/audience-condition.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { selectSettings } from "../../db/settings.ts"
import { SINGLE_ROW } from "../../db/sql.ts"
import type { Bindings } from "../../env.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { notFound } from "../../lib/errors.ts"
import { academyZone } from "../../lib/text/zones.ts"

import type { MatrixFilters } from "./matrix.schemas.ts"
import { cellsOf, type PersonHistory } from "./matrix-cells.ts"
import { matrixColumns } from "./matrix-columns.ts"
import { asOfTime, requireCourses, selectCourses, selectHistory, selectMatrixPeople } from "./matrix-selection.ts"

/**
 * Returns one page of people with their cells, in one round trip.
 * @throws 404 for the group, portal or supervisor; 422 for unknown or too many courses, and a future day
 */
export async function readMatrix(db: Database, caller: Caller, env: Bindings, query: PageQuery & MatrixFilters) {
  const { subject, scope, search, total } = selectMatrixPeople(caller, query)
  const { audience } = query.search_param
  const references = audience && checkAudience(db, caller, audience)
  if (references) db.addCheck({ statement: references.statement, verify: (rows) => references.verify(rows as never) })
  const found = preparePage(
    db,
    {
      table: users,
      key: users.id,
      fields: { ...matrixColumns.fields, history: selectHistory(query, query.asOf !== undefined).as("history") },
      sort: matrixColumns.sort,
      narrowedBy: "group_id, portalId, supervisor_id or a search_param",
      defaultSort: { colName: "name", direction: "asc" },
      scope,
      search,
      total,
    },
    query,
  )
  const [rows, totals, courses, [academy], allowed] = await db.batch([
    ...found.statements,
    selectCourses(db, caller, query),
    selectSettings(db),
    db.select({ allowed: sql<number>`${subject.allowed}`.as("allowed") }).from(SINGLE_ROW),
  ])
  if (!firstRow(allowed).allowed) throw notFound(subject.unknown)
  const at = now()
  const asOf = asOfTime(query, academy?.timeZone ?? academyZone(env), at)
  const courseIds = courses.map(({ id }) => id)
  requireCourses(query, courseIds)
  return {
    page: found.read(rows, totals),
    courses,
    asOf: asOf ?? at,
    toRow: (row: { history: PersonHistory }) => ({
      ...matrixColumns.toRow({ ...row }),
      cells: cellsOf(row.history, courseIds, asOf, at),
    }),
  }
}
