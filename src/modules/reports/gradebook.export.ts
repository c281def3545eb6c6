import { asc, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses, tallies } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import type { Database } from "../../db/client.ts"
import { subquery, textList } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { listColumns } from "../../lib/spreadsheet/columns.ts"
import { type Sheet, sheet } from "../../lib/spreadsheet/sheet.ts"
import { reportColumns, reportFields } from "../users/custom-field-columns.ts"
import { userDetailedColumns } from "./detailed-columns.ts"
import { enrollmentIterator, isScopeAllowed, toEnrollmentSelection } from "./enrollment-filters.ts"
import type { EnrollmentFilters } from "./reports.schemas.ts"

const { columns: told } = userDetailedColumns
const person = listColumns({ name: told.name, email: told.email, id: told.user_id, course: told.courseName })
const RESULT = ["points", "possible", "percent"]
const standing = listColumns({
  status: told.status,
  registered_on: told.registered_on,
  started_on: told.started_on,
  completed_on: told.completed_on,
})

/** The courses that the sheet is about: the one named, or those in which the people that it may hold are registered. */
function coursesIn(caller: Caller, filters: EnrollmentFilters): SQL {
  const { courseId } = filters.search_param
  if (courseId && canSeeAllUsers(caller)) return sql`(select ${courseId})`
  const { subject, courses } = toEnrollmentSelection(caller, filters)
  const searched = (of: SQLWrapper) => (courses ? sql`${of} in ${courses}` : sql`1`)
  if (subject.userId !== undefined)
    return sql`(
      select ${enrollments.courseId} from ${enrollments}
      where ${enrollments.userId} = ${subject.userId} and ${searched(enrollments.courseId)}
    )`
  const portals = subject.key === "all" ? (filters.searchPortalIds ?? filters.search_param.searchPortalIds) : undefined
  return sql`(
    select ${tallies.courseId} from ${tallies}
    where ${tallies.audience} in ${textList(portals?.map((portalId) => `portal:${portalId}`) ?? [subject.key])}
      and ${tallies.courseId} > 0 and ${searched(tallies.courseId)}
      and ${tallies.notStarted} + ${tallies.inProgress} + ${tallies.completed} > 0
  )`
}

/** What is graded: modules with points to be earned. */
const graded = sql`${modules.totalPoints} > 0 and ${modules.type} in ('quiz', 'assignment')`

/** The points that a registration was given, by module. */
const pointsByModule = subquery(sql<string>`(
  select json_group_object(${moduleStatuses.moduleId}, ${moduleStatuses.pointsAwarded}) from ${moduleStatuses}
  where ${moduleStatuses.enrollmentId} = ${enrollments.id} and ${moduleStatuses.pointsAwarded} is not null
)`)

/** How wide a sheet may be: every row is as long, and people read no more. */
export const columnLimit = {
  max: 1000,
  message:
    "search_param.courseId is required here: the courses have more than 1000 graded modules together, a column each.",
  /** How many columns there are, and whether the caller may ask for the sheet at all. */
  count: (db: Database, caller: Caller, filters: EnrollmentFilters) =>
    db
      .select({
        count: sql<number>`count(*)`.as("column_count"),
        allowed: isScopeAllowed(caller, filters).as("allowed"),
      })
      .from(sql`(
        select distinct ${courseModules.moduleId} from ${courseModules}
        join ${modules} on ${modules.id} = ${courseModules.moduleId} and ${graded}
        where ${courseModules.courseId} in ${coursesIn(caller, filters)}
        limit 1001
      )`),
}

/**
 * The registrations that the caller may see and its filter admits, in the order of their ids, with a column for each
 * graded module and the custom fields that include the report. The first row is what is to be earned.
 */
export async function openGradebookSheet(db: Database, caller: Caller, filters: EnrollmentFilters): Promise<Sheet> {
  const { courseId } = filters.search_param
  const [fields, links] = await db.batch([
    reportFields(db, "course-insight"),
    db
      .select({ id: modules.id, name: modules.name, totalPoints: modules.totalPoints })
      .from(courseModules)
      .innerJoin(modules, sql`${modules.id} = ${courseModules.moduleId} and ${graded}`)
      .where(sql`${courseModules.courseId} in ${coursesIn(caller, filters)}`)
      .orderBy(asc(courseModules.courseId), asc(courseModules.position)),
  ])
  const custom = reportColumns(fields, enrollments.userId)
  // A module of several courses has one column.
  const columns = [...new Map(links.map((module) => [module.id, module])).values()]
  const possibleInAll = columns.reduce((sum, module) => sum + module.totalPoints, 0)
  return sheet(db, {
    headers: [
      ...person.names,
      ...custom.headers,
      ...columns.map(({ name, id }) => `${name} (${id})`),
      ...RESULT,
      ...standing.names,
    ],
    firstRows: [
      [
        "Points possible",
        ...person.names.slice(1).map(() => null),
        ...custom.headers.map(() => null),
        ...columns.map((module) => module.totalPoints),
        null,
        courseId ? possibleInAll : null,
      ],
    ],
    iterator: {
      ...enrollmentIterator(caller, filters),
      fields: {
        ...person.fields,
        ...standing.fields,
        points: pointsByModule.as("points_by_module"),
        customValues: custom.values,
      },
    },
    toCells: (row) => {
      const byModule: Record<string, number> = JSON.parse(row.points)
      const grades = columns.map((module) => byModule[module.id] ?? null)
      const points = grades.reduce<number>((sum, grade) => sum + (grade ?? 0), 0)
      const possible = columns.reduce((sum, module, at) => sum + (grades[at] === null ? 0 : module.totalPoints), 0)
      const isGraded = possible > 0
      return [
        ...person.toCells(row),
        ...custom.cells(row.customValues),
        ...grades,
        isGraded ? points : null,
        isGraded ? possible : null,
        isGraded ? Math.floor((100 * points) / possible) : null,
        ...standing.toCells(row),
      ]
    },
  })
}
