import { z } from "@hono/zod-openapi"
import { COURSE_STATUSES } from "../../../drizzle/schema/courses.ts"
import { choice, id, integer, list, optional } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { atRiskColumns, FAILED_ATTEMPTS, RISK_REASONS } from "./at-risk-columns.ts"

const DEFAULT_DAYS = 14
/** The number of enrollments that a list of learners at risk considers, by reason: in progress, and others. */
export const MAX_CONSIDERED = { inProgress: 1000, others: 500 }
/** The number of courses in the overview of a teacher. */
export const MAX_TAUGHT = 100

const inactiveDays = optional(integer(1, 365))
  .pipe(z.number().default(DEFAULT_DAYS))
  .openapi({
    ...{ type: "integer", minimum: 1, maximum: 365, default: DEFAULT_DAYS, param: { required: false } },
    description: "After how many days without activity a learner is inactive",
  })

export const atRiskQuery = listQuery(["risk", ...Object.keys(atRiskColumns.sort)], {
  reason: optional(list(choice(RISK_REASONS))).openapi({
    ...{ type: "array", items: { type: "string", enum: [...RISK_REASONS] } },
    description: "Only learners with one of these reasons",
  }),
}).extend({
  course_id: optional(id()).openapi({
    ...{ type: "integer", minimum: 1 },
    description: "Defaults to the courses that the caller wrote, or teaches a class of",
  }),
  inactiveDays,
})
export type AtRiskQuery = z.output<typeof atRiskQuery>

export const atRiskList = listResponse(
  atRiskColumns.row.openapi("LearnerAtRisk", {
    description: [
      "overdue: the due date and its grace period have passed.",
      `failed_attempts: ${FAILED_ATTEMPTS} or more failed attempts at quizzes that are not completed.`,
      "inactive: in progress, but not opened for inactiveDays. not_started: enrolled for longer than that.",
    ].join(" "),
  }),
).openapi("LearnersAtRisk")

const count = () => z.number().int()

export const taughtCourses = z
  .object({
    courses: z.array(
      z
        .object({
          id: count(),
          name: z.string(),
          status: z.enum(COURSE_STATUSES),
          learners: count(),
          toGrade: count().openapi({ description: "Submissions that wait for evaluation" }),
          overdue: count(),
          atRisk: count().openapi({ description: "Learners at risk, as in the list of the course" }),
        })
        .openapi("TaughtCourse"),
    ),
  })
  .openapi("TaughtCourses")

export const taughtCoursesQuery = z.object({ inactiveDays })
