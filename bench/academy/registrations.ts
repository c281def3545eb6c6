// Enrollments, quiz attempts and submissions, with their dates, imported in batches.
import { each } from "../../scripts/lib/client.ts"
import type { LecternClient, RecordOf } from "../../src/client/index.ts"
import { ProgressBar } from "../progress-bar.ts"
import type { Catalog } from "./courses.ts"
import type { Attempt, Registration } from "./dataset.ts"
import type { User } from "./service.ts"

const REGISTRATIONS_PER_CALL = 1000
const RESULTS_PER_CALL = 500
/** Concurrent calls. The database writes one at a time. */
const WIDTH = 2

const slices = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** Existing enrollments are not changed. @returns how many were created. @throws when one is skipped */
export async function loadRegistrations(
  client: LecternClient,
  registrations: Registration[],
  users: Map<string, User>,
  { courses }: Catalog,
): Promise<number> {
  const bar = new ProgressBar("Enrollments", registrations.length)
  let made = 0
  await each(slices(registrations, REGISTRATIONS_PER_CALL), WIDTH, async (some) => {
    const rows = some.map(({ email, course, registeredOn, startedOn, completedOn, expiresOn }) => ({
      user_id: users.get(email)?.id ?? 0,
      course_id: courses.get(course) ?? 0,
      registered_on: registeredOn,
      ...(startedOn && { started_on: startedOn }),
      ...(completedOn && { completed_on: completedOn }),
      ...(expiresOn && { expire_on: expiresOn }),
    }))
    const { data } = await client.POST("/api/course/record", { body: { registrations: rows } })
    if (data.skipped > 0) throw new Error(data.message)
    made += data.enrolled
    bar.step(some.length)
  })
  return made
}

/** A learner of a course; the id is that of the enrollment. */
export type Student = RecordOf<"/api/course/enrolled-students">

/** The learners of every course by its name, as enrolled-students lists them, each by address. */
export async function studentsOf(client: LecternClient, courses: [string, number][]) {
  const bar = new ProgressBar("Learners of courses", courses.length)
  const found = new Map<string, Map<string, Student>>()
  await each(courses, WIDTH, async ([name, id]) => {
    const students = new Map<string, Student>()
    const query = { course_id: id, group_id: "" }
    for await (const student of client.list("/api/course/enrolled-students", { query }))
      students.set(student.email, student)
    found.set(name, students)
    bar.step()
  })
  return found
}

type Place = { registrationId: number; moduleId: number; submitted_on: string }

/** How results of quizzes and of assignments are imported. */
const RESULTS = {
  quizzes: {
    words: "Attempts",
    record: (client: LecternClient, rows: Place[], scores: (number | undefined)[]) => {
      const attempts = rows.map((row, i) => ({ ...row, score: scores[i] ?? 0, outOf: 100 }))
      return client.POST("/api/quiz/record", { body: { attempts } })
    },
  },
  assignments: {
    words: "Submissions",
    record: (client: LecternClient, rows: Place[], scores: (number | undefined)[]) => {
      const submissions = rows.map((row, i) => ({
        ...row,
        ...(scores[i] !== undefined && { pointsAwarded: scores[i] }),
      }))
      return client.POST("/api/module/assignment/record", { body: { submissions } })
    },
  },
}

/** Existing results are not changed. @returns how many were imported. @throws when one is skipped */
export async function loadResults(
  client: LecternClient,
  what: keyof typeof RESULTS,
  results: Attempt[],
  students: Map<string, Map<string, Student>>,
  { modules }: Catalog,
): Promise<number> {
  const { words, record } = RESULTS[what]
  const bar = new ProgressBar(words, results.length)
  let made = 0
  await each(slices(results, RESULTS_PER_CALL), 1, async (some) => {
    const rows = some.map((row) => ({
      registrationId: students.get(row.course)?.get(row.email)?.id ?? 0,
      moduleId: modules.get(row.of) ?? 0,
      submitted_on: row.submittedOn,
    }))
    const scores = some.map(({ score }) => score)
    const { recorded, skipped, message } = (await record(client, rows, scores)).data
    if (skipped > 0) throw new Error(message)
    made += recorded
    bar.step(some.length)
  })
  return made
}
