import { z } from "@hono/zod-openapi"
import { id, ids, list, optional, text } from "../../lib/input/input.ts"
import { exportBody, listQuery, listResponse, searchPortalIds } from "../../lib/input/list-query.ts"
import { enrollmentStatus } from "../enrollments/enrollments.schemas.ts"
import { quizAttemptColumns } from "./quiz-attempt-columns.ts"

export const REPORT_COLUMNS = Object.keys(quizAttemptColumns.sort)

const whole = () => z.number().int()
/** What narrows the quizzes' report, and its export. */
const filters = {
  search: {
    nameOrEmail: optional(text(254)),
    courseId: optional(id()).openapi({ type: "integer", minimum: 1, description: "One course" }),
    status: optional(list(enrollmentStatus())),
    portalId: optional(id()),
    searchPortalIds: optional(ids()),
  },
  beside: {
    user_id: optional(id()).openapi({
      type: "integer",
      minimum: 1,
      description: "Of this user, with the quizzes not tried; a learner's own always",
    }),
    searchPortalIds: searchPortalIds(),
  },
}

export const quizReportQuery = listQuery(REPORT_COLUMNS, filters.search).extend(filters.beside)

/** The initiate body of the learner quizzes export. */
export const quizExport = exportBody(filters)
export type QuizFilters = z.output<typeof quizExport>

export const quizReportRows = listResponse(quizAttemptColumns.row.openapi("LearnerQuiz")).extend({
  totalNotStarted: whole(),
  totalInProgress: whole(),
  totalCompleted: whole(),
  userDetails: z
    .object({
      id: whole().optional(),
      name: z.string().optional(),
      email: z.string().optional(),
      userType: z.string().optional(),
      avatar: z.string().optional(),
    })
    .openapi({ description: "Of user_id; empty without it" }),
})

/** What a single-file report takes beside the status row. */
export const reportParams = z.object({
  studentId: optional(id()).openapi({ type: "integer", minimum: 1, description: "Must be the learner's id" }),
  portalId: optional(id()).openapi({ type: "integer", minimum: 1, description: "The learner must belong to it" }),
})

export const scoresQuery = z.object({
  course_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
  module_id: id().openapi({ type: "integer", minimum: 1, description: "A quiz", param: { required: true } }),
})

export const scoresReport = z
  .object({
    courseId: whole(),
    moduleId: whole(),
    name: z.string().openapi({ description: "The quiz's" }),
    attempts: whole().openapi({ description: "Completed ones, each of a learner's" }),
    passed: whole().openapi({ description: "How many of them passed" }),
    scores: z
      .array(
        z.object({
          percent: whole().openapi({ minimum: 0, maximum: 100, description: "As in the student-quizzes report" }),
          attempts: whole(),
        }),
      )
      .openapi({ description: "Only percents that were earned, ascending" }),
  })
  .openapi("QuizScores")
