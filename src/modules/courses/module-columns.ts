import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { modules, SCORM_VERSIONS, SUBMISSION_TYPES } from "../../../drizzle/schema/modules.ts"
import { sortPrefix } from "../../db/list/listing.ts"
import { subquery, userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import {
  assignmentFields,
  MAX_UPLOAD_MB,
  moduleFields,
  quizFields,
  toSubmissionType,
  uploadLimit,
  videoFields,
} from "./module-fields.ts"
import { moduleMedia } from "./module-media.ts"

const count = () => z.number().int()

const columns = {
  id: sortedIntegerColumn(modules.id),
  ...moduleFields.listed,
  author: column(subquery(sql<string>`coalesce(${userName(modules.authorId)}, '')`), z.string()),
  created_at: dateColumn(modules.createdAt),
  course_count: sortedIntegerColumn(modules.courseCount),
}

/** The columns of the list of modules. */
export const moduleColumns = listColumns(columns)

/** The courses of a module, as returned by the API. */
export const moduleCourses = z.array(z.object({ course_id: count(), course_name: z.string() }))

const toCourses = (json: string): z.output<typeof moduleCourses> => JSON.parse(json)

/** Selects the module's courses, by name. */
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

/** The columns of the list of assignments. */
export const assignmentColumns = listColumns({
  ...columns,
  submissionType: column(modules.submissionType, z.enum(SUBMISSION_TYPES), {
    show: toSubmissionType,
    sort: { sorted: modules.submissionType },
  }),
  display_type: column(modules.submissionType, z.string().openapi({ description: "The submission type as a label" }), {
    show: (stored) => (toSubmissionType(stored) === "file" ? "File" : "Text"),
    sort: { sorted: modules.submissionType },
  }),
  totalPoints: sortedIntegerColumn(modules.totalPoints),
  allowed_filetypes: column(modules.allowedFiletypes, z.array(z.string()), {
    sort: { sorted: sortPrefix(modules.allowedFiletypes) },
  }),
  maxUploadSize: column(modules.maxUploadSize, count(), {
    show: uploadLimit,
    sort: { sorted: sql`iif(${modules.maxUploadSize} = 0, ${MAX_UPLOAD_MB}, ${modules.maxUploadSize})` },
  }),
  showMappedCourses: column(modules.courseCount, z.boolean(), { show: (count) => count > 0 }),
  content: column(modules.content, z.string()),
  courses: column(COURSES, moduleCourses),
})

const detail = { ...columns, ...moduleFields.answers }

/** The columns of one module, by type. */
export const moduleDetailColumns = {
  text: listColumns(detail),
  video: listColumns({ ...detail, ...videoFields.answers, media: moduleMedia }),
  quiz: listColumns({ ...detail, ...quizFields.answers }),
  assignment: listColumns({ ...detail, ...assignmentFields.answers }),
  scorm: listColumns({
    ...detail,
    scormVersion: column(
      modules.scormVersion,
      z.enum(SCORM_VERSIONS).nullable().openapi({ description: "null until a package is uploaded" }),
    ),
    packageBytes: column(modules.packageBytes, count()),
  }),
}
