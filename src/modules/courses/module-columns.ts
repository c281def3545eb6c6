import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import {
  ESTIMATE_UNITS,
  MODULE_TYPES,
  modules,
  SCORM_VERSIONS,
  SUBMISSION_TYPES,
} from "../../../drizzle/schema/modules.ts"
import { beginning } from "../../db/list.ts"
import { subquery, userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"

const count = () => z.number().int()

const columns = {
  id: integerColumn(modules.id),
  name: nameColumn(modules.name),
  slug: textColumn(modules.slug),
  type: column(modules.type, z.enum(MODULE_TYPES), { sort: { sorted: modules.type } }),
  icon: column(modules.icon, z.string(), { sort: { sorted: modules.icon } }),
  isLocked: column(modules.isLocked, z.boolean(), { sort: modules.isLocked }),
  estimatedCompletion: integerColumn(modules.estimatedCompletion),
  estimationCompletedUnit: column(modules.estimationCompletedUnit, z.enum(ESTIMATE_UNITS), {
    sort: { sorted: modules.estimationCompletedUnit },
  }),
  author: column(subquery(sql<string>`coalesce(${userName(modules.authorId)}, '')`), z.string()),
  created_at: dateColumn(modules.createdAt),
  course_count: integerColumn(modules.courseCount),
}

/** The columns of the list of a type's modules. */
export const moduleColumns = listColumns(columns)

/** What is answered of the courses that a module is in. */
export const itsCourses = z.array(z.object({ course_id: count(), course_name: z.string() }))

const toCourses = (json: string): z.output<typeof itsCourses> => JSON.parse(json)

/** The courses that a module is in, by name. */
const COURSES = subquery(sql`(
  select json_group_array(json_object('course_id', id, 'course_name', name))
  from (
    select ${courses.id} as id, ${courses.name} as name
    from ${courseModules}
    join ${courses} on ${courses.id} = ${courseModules.courseId}
    where ${courseModules.moduleId} = ${modules.id}
    order by ${courses.name}, ${courses.id}
  )
)`).mapWith(toCourses)

/** MB of an upload where the module says nothing: the service's own limit. */
export const LARGEST_UPLOAD = 25

const uploadSizeOf = (stored: number) => stored || LARGEST_UPLOAD

/** How an assignment is submitted: what says nothing takes a text. */
const submissionTypeOf = (stored: string): (typeof SUBMISSION_TYPES)[number] => (stored === "file" ? "file" : "text")

/** The columns of the list of assignments. */
export const assignmentColumns = listColumns({
  ...columns,
  submissionType: column(modules.submissionType, z.enum(SUBMISSION_TYPES), {
    show: submissionTypeOf,
    sort: modules.submissionType,
  }),
  display_type: column(
    modules.submissionType,
    z.string().openapi({ description: "The submission type, to be shown" }),
    { show: (stored) => (submissionTypeOf(stored) === "file" ? "File" : "Text"), sort: modules.submissionType },
  ),
  totalPoints: integerColumn(modules.totalPoints),
  allowed_filetypes: column(modules.allowedFiletypes, z.array(z.string()), {
    sort: { sorted: beginning(modules.allowedFiletypes) },
  }),
  maxUploadSize: column(modules.maxUploadSize, count(), {
    show: uploadSizeOf,
    sort: { sorted: sql`iif(${modules.maxUploadSize} = 0, ${LARGEST_UPLOAD}, ${modules.maxUploadSize})` },
  }),
  showMappedCourses: column(modules.courseCount, z.boolean(), { show: (count) => count > 0 }),
  content: column(modules.content, z.string()),
  courses: column(COURSES, itsCourses),
})

const detail = { ...columns, content: column(modules.content, z.string()) }

/** The columns of a module by itself, by its type. */
export const moduleDetailColumns = {
  text: listColumns(detail),
  video: listColumns({
    ...detail,
    videoUrl: column(modules.videoUrl, z.string().nullable()),
    videoSeconds: column(modules.videoSeconds, count()),
  }),
  quiz: listColumns({
    ...detail,
    totalPoints: column(modules.totalPoints, count()),
    passPercent: column(modules.passPercent, count()),
    maxAttempts: column(modules.maxAttempts, count()),
    timeLimitMinutes: column(modules.timeLimitMinutes, count()),
  }),
  assignment: listColumns({
    ...detail,
    submission_type: column(modules.submissionType, z.enum(SUBMISSION_TYPES), { show: submissionTypeOf }),
    totalPoints: column(modules.totalPoints, count()),
    allowed_filetypes: column(modules.allowedFiletypes, z.array(z.string())),
    maxUploadSize: column(modules.maxUploadSize, count().openapi({ description: "MB a file" }), {
      show: uploadSizeOf,
    }),
  }),
  scorm: listColumns({
    ...detail,
    scormVersion: column(
      modules.scormVersion,
      z.enum(SCORM_VERSIONS).nullable().openapi({ description: "null until a package is uploaded" }),
    ),
    packageBytes: column(modules.packageBytes, count()),
  }),
}
