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
const { Accepted, Returned } = SubmissionStatus

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
  // Answers are graded as they are submitted.
  watched: ["status"],
  types: {
    "quiz.submitted": {
      meaning: "An attempt at a quiz was submitted and graded",
      insert: isSubmitted,
      update: isSubmitted,
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
    "assignment.submitted": { meaning: "An assignment was submitted", insert: true },
    "assignment.accepted": {
      meaning: "A submission was accepted",
      insert: `new.status = '${Accepted}'`,
      update: `new.status = '${Accepted}'`,
    },
    "assignment.returned": {
      meaning: "A submission was returned",
      insert: `new.status = '${Returned}'`,
      update: `new.status = '${Returned}'`,
    },
  },
})
