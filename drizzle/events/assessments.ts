import { AttemptStatus, QuizResult, SubmissionStatus, valuesOf } from "../statuses.ts"
import { choice, courseOf, described, integer, moduleOf, nullable, number, time, timeOrNull, userOf } from "./fields.ts"
import { eventObject } from "./object.ts"

const work = {
  id: integer("id"),
  registrationId: integer("enrollment_id"),
  user: userOf("row.user_id"),
  course: courseOf("row.course_id"),
}
const attempt = described(integer("number"), "Of the registration's attempts, from 1")
const owner = { userId: "user_id", courseId: "course_id" } as const

const isSubmitted = `new.status = '${AttemptStatus.Completed}'`
const { Pending } = QuizResult
const { Accepted, Returned } = SubmissionStatus
/** Essays of quizzes wait in the same queue. */
const isAssignment = "(SELECT type FROM modules WHERE id = new.module_id) = 'assignment'"

export const quizEvents = eventObject({
  name: "QuizAttempt",
  table: "quiz_attempts",
  fields: {
    ...work,
    quiz: moduleOf("row.module_id"),
    number: attempt,
    result: choice(["", ...valuesOf(QuizResult)], "result"),
    score: number("score"),
    outOf: number("out_of"),
    percent: integer("percent"),
    submittedAt: timeOrNull("completed_at"),
  },
  ...owner,
  watched: ["status", "result"],
  types: {
    "quiz.submitted": {
      meaning: "An attempt at a quiz was submitted. Its result is pending while an essay waits to be graded",
      insert: isSubmitted,
      update: `${isSubmitted} AND old.status <> new.status`,
    },
    "quiz.graded": {
      meaning: "The essays of an attempt at a quiz were graded",
      update: `old.result = '${Pending}' AND new.result <> '${Pending}'`,
    },
  },
})

export const assignmentEvents = eventObject({
  name: "Submission",
  table: "submissions",
  fields: {
    ...work,
    assignment: moduleOf("row.module_id"),
    number: attempt,
    status: choice(valuesOf(SubmissionStatus), "status"),
    pointsAwarded: nullable(integer("points_awarded")),
    submittedAt: time("submitted_at"),
    evaluatedAt: timeOrNull("evaluated_at"),
  },
  ...owner,
  previous: ["status"],
  types: {
    "assignment.submitted": { meaning: "An assignment was submitted", insert: isAssignment },
    "assignment.accepted": {
      meaning: "A submission was accepted",
      insert: `new.status = '${Accepted}' AND ${isAssignment}`,
      update: `new.status = '${Accepted}' AND ${isAssignment}`,
    },
    "assignment.returned": {
      meaning: "A submission was returned",
      insert: `new.status = '${Returned}' AND ${isAssignment}`,
      update: `new.status = '${Returned}' AND ${isAssignment}`,
    },
  },
})
