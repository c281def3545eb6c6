import { z } from "@hono/zod-openapi"
import { type SQLWrapper, sql } from "drizzle-orm"
import { ENROLLMENT_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { QUIZ_RESULTS, quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import type { Sorted } from "../../db/list/listing.ts"
import { literal, subquery, userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import type { NotNull } from "../../lib/spreadsheet/common-columns.ts"
import { dateOrNeverColumn, durationAnswer } from "../../lib/spreadsheet/date-columns.ts"
import { displayDateTime, duration } from "../../lib/text/dates.ts"
import { selectCourseName } from "../courses/course-columns.ts"
import { selectModuleName } from "../courses/modules.queries.ts"

const count = () => z.number().int()

/** The attempt's status, or Not Started for a quiz without an attempt. */
const STATUS = sql<EnrollmentStatus>`${quizAttempts.status}`

/** The value of a Completed attempt, otherwise null. */
const ifCompleted = <T>(row: { status: EnrollmentStatus; value: T }): T | null =>
  row.status === EnrollmentStatus.Completed ? row.value : null

/** Sorts by the value of `ifCompleted`; null comes first. */
const sortIfCompleted = (value: SQLWrapper, fallback: number | string): Sorted => ({
  sorted: sql`iif(${STATUS} = ${literal(EnrollmentStatus.Completed)}, ${value}, ${fallback})`,
})

/** A time of an attempt; empty in exports if it hasn't happened. */
const momentColumn = (at: NotNull<number>, sort: SQLWrapper | Sorted = at) =>
  dateOrNeverColumn(at, { sort, cell: (at) => (at ? displayDateTime(at) : "") })

const columns = {
  attemptId: column(
    { id: quizAttempts.id, number: quizAttempts.number },
    count().nullable().openapi({ description: "null if there is no attempt" }),
    {
      show: ({ id, number }) => (number > 0 ? id : null),
      sort: { sorted: sql`iif(${quizAttempts.number} > 0, ${quizAttempts.id}, 0)` },
    },
  ),
  user_id: column(quizAttempts.userId, count(), { sort: { sorted: quizAttempts.userId } }),
  name: column(sql<string>`${userName(quizAttempts.userId)}`, z.string()),
  email: column(
    subquery(sql<string>`(
      select ${users.email}
      from ${users}
      where ${users.id} = ${quizAttempts.userId}
    )`),
    z.string(),
  ),
  courseId: column(quizAttempts.courseId, count(), { sort: { sorted: quizAttempts.courseId } }),
  courseName: column(selectCourseName(quizAttempts.courseId), z.string()),
  moduleId: column(quizAttempts.moduleId, count(), { sort: { sorted: quizAttempts.moduleId } }),
  quizName: column(selectModuleName(quizAttempts.moduleId), z.string()),
  status_row_id: column(quizAttempts.statusRowId, count().openapi({ description: "-1 if the quiz was never opened" }), {
    sort: { sorted: quizAttempts.statusRowId },
  }),
  attempt: column(quizAttempts.number, count().openapi({ description: "Starts at 1; 0 means no attempt" }), {
    sort: { sorted: quizAttempts.number },
  }),
  status: column(STATUS, z.enum(ENROLLMENT_STATUSES), { sort: { sorted: quizAttempts.status } }),
  started_on: momentColumn(quizAttempts.startedAt),
  completed_on: momentColumn(quizAttempts.completedAt, { sorted: quizAttempts.completedAt }),
  time_taken: column({ status: STATUS, value: quizAttempts.timeTaken }, durationAnswer, {
    show: ({ value }) => duration(value),
    sort: { sorted: quizAttempts.timeTaken },
    cell: ifCompleted,
  }),
  score: column(
    { status: STATUS, value: quizAttempts.score },
    z.number().nullable().openapi({ description: "null until Completed" }),
    { show: ifCompleted, sort: sortIfCompleted(quizAttempts.score, -1) },
  ),
  outOf: column(quizAttempts.outOf, z.number(), { sort: { sorted: quizAttempts.outOf } }),
  percent: column({ status: STATUS, value: quizAttempts.percent }, count().nullable(), {
    show: ifCompleted,
    sort: sortIfCompleted(quizAttempts.percent, -1),
  }),
  result: column({ status: STATUS, value: quizAttempts.result }, z.enum(QUIZ_RESULTS).nullable(), {
    show: (row) => ifCompleted(row) || null,
    sort: sortIfCompleted(quizAttempts.result, ""),
    cell: ({ value }) => value,
  }),
}

/** The columns of the quiz report. */
export const quizAttemptColumns = listColumns(columns)

/** The columns of the export of the quiz report. */
export const quizSheetColumns = listColumns({
  attempt_id: columns.attemptId,
  user_id: columns.user_id,
  course_id: columns.courseId,
  module_id: columns.moduleId,
  name: columns.name,
  email: columns.email,
  course: columns.courseName,
  quiz: columns.quizName,
  attempt: columns.attempt,
  status: columns.status,
  started: columns.started_on,
  completed: columns.completed_on,
  "time taken": columns.time_taken,
  score: columns.score,
  "out of": columns.outOf,
  percent: columns.percent,
  result: columns.result,
})
