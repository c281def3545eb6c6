import { type SQL, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import type { ModuleStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { subquery } from "../../db/sql.ts"
import type { Caller } from "../../lib/caller.ts"
import { prepareStudents, requireStudentsCourse } from "../enrollments/enrollment-lists.queries.ts"
import { isGradedModule } from "./gradebook.export.ts"
import { type GradebookQuery, MAX_GRADED_MODULES } from "./gradebook.schemas.ts"
import { gradebookColumns } from "./gradebook-columns.ts"

interface Grade {
  moduleId: number
  statusRowId: number
  status: ModuleStatus
  points: number | null
}

/** A query of the ids of a course's graded modules, in its order. */
const gradedModuleIds = (courseId: number): SQL => sql`
  select ${courseModules.moduleId} from ${courseModules}
  join ${modules} on ${modules.id} = ${courseModules.moduleId} and ${isGradedModule}
  where ${courseModules.courseId} = ${courseId}
  order by ${courseModules.position} limit ${MAX_GRADED_MODULES}`

/** The grades of an enrollment in these modules, found by the key of the module statuses. */
const gradesOf = (courseId: number) =>
  subquery(sql<Grade[]>`(
    select json_group_array(json_object(
      'moduleId', ${moduleStatuses.moduleId}, 'statusRowId', ${moduleStatuses.id},
      'status', ${moduleStatuses.status}, 'points', ${moduleStatuses.pointsAwarded}
    ))
    from ${moduleStatuses}
    where ${moduleStatuses.enrollmentId} = ${enrollments.id}
      and ${moduleStatuses.moduleId} in (${gradedModuleIds(courseId)})
  )`).mapWith((json: string): Grade[] => JSON.parse(json))

/**
 * Returns one page of a course's learners with their grades, in one round trip.
 * @throws 404 if the course or the group is unknown to the caller
 */
export async function readGradebook(db: Database, caller: Caller, query: GradebookQuery) {
  const { course_id: courseId } = query
  const { page, ofStudents } = prepareStudents(db, caller, query, {
    fields: { ...gradebookColumns.fields, grades: gradesOf(courseId).as("grades") },
    sort: gradebookColumns.sort,
    defaultSort: { colName: "last_name", direction: "asc" },
  })
  const [rows, totals, , courseRows, graded] = await db.batch([
    ...page.statements,
    ...ofStudents,
    db
      .select({
        id: modules.id,
        name: modules.name,
        type: modules.type,
        totalPoints: modules.totalPoints,
        count: sql<number>`count(*) over ()`.as("graded_count"),
      })
      .from(courseModules)
      .innerJoin(modules, sql`${modules.id} = ${courseModules.moduleId} and ${isGradedModule}`)
      .where(sql`${courseModules.courseId} = ${courseId}`)
      .orderBy(courseModules.position)
      .limit(MAX_GRADED_MODULES),
  ])
  const course = requireStudentsCourse(courseRows)
  const [first] = graded
  return {
    courseName: course.name,
    modules: graded.map(({ count: _, ...module }) => module),
    modulesOmitted: first ? first.count - graded.length : 0,
    page: page.read(rows, totals),
    toRow: (row: { grades: Grade[] }) => ({
      ...gradebookColumns.toRow({ ...row }),
      grades: graded.map(({ id }) => row.grades.find(({ moduleId }) => moduleId === id) ?? null),
    }),
  }
}
