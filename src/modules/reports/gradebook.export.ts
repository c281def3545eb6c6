import { asc, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { courseModules } from "../../../drizzle/schema/courses.ts"
import { enrollmentCounts, enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import type { Database } from "../../db/client.ts"
import { subquery, textList } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { type Sheet, sheet } from "../../lib/spreadsheet/sheet.ts"
import { reportColumns, reportFields } from "../users/custom-field-columns.ts"
import { userDetailedColumns } from "./detailed-columns.ts"
import { enrollmentIterator, isScopeAllowed, toEnrollmentSelection } from "./enrollment-filters.ts"
import type { EnrollmentFilters } from "./reports.schemas.ts"

const { columns: report } = userDetailedColumns
const personColumns = listColumns({
  id: report.id,
  user_id: report.user_id,
  course_id: integerColumn(enrollments.courseId),
  name: report.name,
  email: report.email,
  course: report.courseName,
})
const RESULT_HEADERS = ["points", "possible", "percent"]
const statusColumns = listColumns({
  status: report.status,
  registered_on: report.registered_on,
  started_on: report.started_on,
  completed_on: report.completed_on,
})

/** Selects the courses of the sheet: the requested course, or those in which the users in scope are enrolled. */
function selectCourseIds(caller: Caller, filters: EnrollmentFilters): SQL {
  const { courseId } = filters.search_param
  if (courseId && canSeeAllUsers(caller)) return sql`(select ${courseId})`
  const { subject, courses } = toEnrollmentSelection(caller, filters)
  const isSearched = (of: SQLWrapper) => (courses ? sql`${of} in ${courses}` : sql`1`)
  if (subject.userId !== undefined)
    return sql`(
      select ${enrollments.courseId} from ${enrollments}
      where ${enrollments.userId} = ${subject.userId} and ${isSearched(enrollments.courseId)}
    )`
  const portals = subject.key === "all" ? (filters.searchPortalIds ?? filters.search_param.searchPortalIds) : undefined
  return sql`(
    select ${enrollmentCounts.courseId} from ${enrollmentCounts}
    where ${enrollmentCounts.audience} in ${textList(portals?.map((portalId) => `portal:${portalId}`) ?? [subject.key])}
      and ${enrollmentCounts.courseId} > 0 and ${isSearched(enrollmentCounts.courseId)}
      and ${enrollmentCounts.notStarted} + ${enrollmentCounts.inProgress} + ${enrollmentCounts.completed} > 0
  )`
}

/** The condition that a module is graded. */
export const isGradedModule = sql`${modules.totalPoints} > 0 and ${modules.type} in ('quiz', 'assignment', 'scorm')`

/** The points awarded in an enrollment, by module. */
const pointsByModule = subquery(sql<string>`(
  select json_group_object(${moduleStatuses.moduleId}, ${moduleStatuses.pointsAwarded}) from ${moduleStatuses}
  where ${moduleStatuses.enrollmentId} = ${enrollments.id} and ${moduleStatuses.pointsAwarded} is not null
)`)

/** The limit of graded modules, each of which is a column of every row. */
export const columnLimit = {
  max: 1000,
  message:
    "search_param.courseId is required: these courses have more than 1,000 graded modules, and each one is a column.",
  /** Selects the number of columns, and whether the caller may export the scope. */
  count: (db: Database, caller: Caller, filters: EnrollmentFilters) =>
    db
      .select({
        count: sql<number>`count(*)`.as("column_count"),
        allowed: isScopeAllowed(caller, filters).as("allowed"),
      })
      .from(sql`(
        select distinct ${courseModules.moduleId} from ${courseModules}
        join ${modules} on ${modules.id} = ${courseModules.moduleId} and ${isGradedModule}
        where ${courseModules.courseId} in ${selectCourseIds(caller, filters)}
        limit 1001
      )`),
}

/**
 * Opens the gradebook: a row for each enrollment and a column for each graded module, with the custom fields of the
 * report. The first row has the possible points.
 */
export async function openGradebookSheet(db: Database, caller: Caller, filters: EnrollmentFilters): Promise<Sheet> {
  const { courseId } = filters.search_param
  const [fields, moduleRows] = await db.batch([
    reportFields(db, "course-insight"),
    db
      .select({ id: modules.id, name: modules.name, totalPoints: modules.totalPoints })
      .from(courseModules)
      .innerJoin(modules, sql`${modules.id} = ${courseModules.moduleId} and ${isGradedModule}`)
      .where(sql`${courseModules.courseId} in ${selectCourseIds(caller, filters)}`)
      .orderBy(asc(courseModules.courseId), asc(courseModules.position)),
  ])
  const custom = reportColumns(fields, enrollments.userId)
  // A module of several courses has one column.
  const modulesById = [...new Map(moduleRows.map((module) => [module.id, module])).values()]
  const totalPossible = modulesById.reduce((sum, module) => sum + module.totalPoints, 0)
  return sheet(db, {
    headers: [
      ...personColumns.names,
      ...custom.headers,
      ...modulesById.map(({ name, id }) => `${name} (${id})`),
      ...RESULT_HEADERS,
      ...statusColumns.names,
    ],
    keys: [
      ...personColumns.names,
      ...custom.keys,
      ...modulesById.map(({ id }) => `module_${id}`),
      ...RESULT_HEADERS,
      ...statusColumns.names,
    ],
    firstRows: [
      [
        ...personColumns.names.map((name) => (name === "name" ? "Points possible" : null)),
        ...custom.headers.map(() => null),
        ...modulesById.map((module) => module.totalPoints),
        null,
        courseId ? totalPossible : null,
      ],
    ],
    iterator: {
      ...enrollmentIterator(caller, filters),
      fields: {
        ...personColumns.fields,
        ...statusColumns.fields,
        points: pointsByModule.as("points_by_module"),
        customValues: custom.values,
      },
    },
    toCells: (row) => {
      const byModule: Record<string, number> = JSON.parse(row.points)
      const grades = modulesById.map((module) => byModule[module.id] ?? null)
      const points = grades.reduce<number>((sum, grade) => sum + (grade ?? 0), 0)
      const possible = modulesById.reduce((sum, module, at) => sum + (grades[at] === null ? 0 : module.totalPoints), 0)
      const isGraded = possible > 0
      return [
        ...personColumns.toCells(row),
        ...custom.cells(row.customValues),
        ...grades,
        isGraded ? points : null,
        isGraded ? possible : null,
        isGraded ? Math.floor((100 * points) / possible) : null,
        ...statusColumns.toCells(row),
      ]
    },
  })
}
