import { z } from "@hono/zod-openapi"
import { id, ids, list, optional, text } from "../../lib/input/input.ts"
import { exportBody, listQuery, listResponse, searchPortalIds } from "../../lib/input/list-query.ts"
import { enrollmentStatus } from "../enrollments/enrollments.schemas.ts"
import { quizAttemptColumns } from "./quiz-attempt-columns.ts"

export const REPORT_COLUMNS = Object.keys(quizAttemptColumns.sort)

const integerAnswer = () => z.number().int()
/** The filters of the quiz report and its export. */
const filters = {
  search: {
    nameOrEmail: optional(text(254)),
    courseId: optional(id()).openapi({ type: "integer", minimum: 1, description: "Only this course" }),
    status: optional(list(enrollmentStatus())),
    portalId: optional(id()),
    searchPortalIds: optional(ids()),
  },
  beside: {
    user_id: optional(id()).openapi({
      type: "integer",
      minimum: 1,
      description: "Only this user, including quizzes without an attempt. Learners always get their own",
    }),
    searchPortalIds: searchPortalIds(),
  },
}

export const quizReportQuery = listQuery(REPORT_COLUMNS, filters.search).extend(filters.beside)

/** The body that starts the learner quizzes export. */
export const quizExport = exportBody(filters)
export type QuizFilters = z.output<typeof quizExport>

export const quizReportRows = listResponse(quizAttemptColumns.row.openapi("LearnerQuiz")).extend({
  totalNotStarted: integerAnswer(),
  totalInProgress: integerAnswer(),
  totalCompleted: integerAnswer(),
  userDetails: z
    .object({
      id: integerAnswer().optional(),
      name: z.string().optional(),
      email: z.string().optional(),
      userType: z.string().optional(),
      avatar: z.string().optional(),
    })
    .openapi({ description: "The user of user_id; empty without it" }),
})

/** The query of a learner's report file. */
export const reportParams = z.object({
  studentId: optional(id()).openapi({ type: "integer", minimum: 1, description: "Must be the learner's id" }),
  portalId: optional(id()).openapi({
    type: "integer",
    minimum: 1,
    description: "The learner must belong to this portal",
  }),
})

export const scoresQuery = z.object({
  course_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
  module_id: id().openapi({ type: "integer", minimum: 1, description: "The quiz module", param: { required: true } }),
})

export const scoresReport = z
  .object({
    courseId: integerAnswer(),
    moduleId: integerAnswer(),
    name: z.string().openapi({ description: "The quiz's name" }),
    attempts: integerAnswer().openapi({ description: "The number of Completed attempts" }),
    passed: integerAnswer().openapi({ description: "The number of passed attempts" }),
    scores: z
      .array(
        z.object({
          percent: integerAnswer().openapi({
            minimum: 0,
            maximum: 100,
            description: "The same as in the student-quizzes report",
          }),
          attempts: integerAnswer(),
        }),
      )
      .openapi({ description: "Only percentages with attempts, ascending" }),
  })
  .openapi("QuizScores")
