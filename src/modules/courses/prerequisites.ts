import { asc, eq, type SQL, sql } from "drizzle-orm"
import { coursePrerequisites } from "../../../drizzle/schema/courses.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { idList, SINGLE_ROW } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"

/** Selects the courses that must be completed before a course, in their order. */
export const selectPrerequisites = (db: Database, courseId: number | SQL) =>
  db
    .select({ id: coursePrerequisites.prerequisiteId })
    .from(coursePrerequisites)
    .where(eq(coursePrerequisites.courseId, courseId))
    .orderBy(asc(coursePrerequisites.position))

/** The condition that one of these courses is the course, or requires it through other courses. */
const isCyclic = (courseId: number, ids: readonly number[]): SQL => sql`${courseId} in (
  with recursive required(id) as (
    select value from ${idList(ids)}
    union
    select next.prerequisite_id
    from required
    cross join course_prerequisites as next on next.course_id = required.id
  )
  select id from required
)`

/** Selects whether a course would require itself. */
export const selectCyclic = (db: Database, courseId: number, ids: readonly number[]) =>
  db.select({ isCyclic: sql<number>`${isCyclic(courseId, ids)}`.as("is_cyclic") }).from(SINGLE_ROW)

/** Replaces the prerequisites of a course. A concurrent change that makes a cycle returns 409. */
export const setPrerequisites = (work: UnitOfWork, courseId: number, ids: number[]): Statement[] => [
  work.guard(sql`not ${isCyclic(courseId, ids)}`),
  work.db.delete(coursePrerequisites).where(eq(coursePrerequisites.courseId, courseId)),
  insertFrom(
    work.db,
    coursePrerequisites,
    { courseId, prerequisiteId: sql`value`, position: sql`key + 1` },
    sql`from json_each(${JSON.stringify(ids)}) where true`,
  ),
]
