// Enrolments, quiz attempts and submissions, with their dates, in calls of many.
import { type Connection, call, each, json } from "../../scripts/lib/client.ts"
import { ProgressBar } from "../progress-bar.ts"
import type { Catalogue } from "./courses.ts"
import type { Attempt, Registration } from "./dataset.ts"
import { recordsOf, type User } from "./service.ts"

const REGISTRATIONS_PER_CALL = 1000
const RESULTS_PER_CALL = 500
/** Calls at once: the database writes one at a time. */
const WIDTH = 2

const slices = <T>(items: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** Those who are enrolled stay as they are. @returns how many enrolments were made. @throws when one is skipped */
export async function loadRegistrations(
  connection: Connection,
  registrations: Registration[],
  users: Map<string, User>,
  { courses }: Catalogue,
): Promise<number> {
  const bar = new ProgressBar("Enrolments", registrations.length)
  let made = 0
  await each(slices(registrations, REGISTRATIONS_PER_CALL), WIDTH, async (some) => {
    const rows = some.map((row) => ({
      user_id: users.get(row.email)?.id,
      course_id: courses.get(row.course),
      registered_on: row.registeredOn,
      started_on: row.startedOn,
      completed_on: row.completedOn,
      expire_on: row.expiresOn,
    }))
    const answer = await call(connection, "POST", "/api/course/record", { registrations: rows })
    const { enrolled, skipped, message } = await json<{ enrolled: number; skipped: number; message: string }>(answer)
    if (skipped > 0) throw new Error(message)
    made += enrolled
    bar.step(some.length)
  })
  return made
}

export interface Student {
  /** Of the registration. */
  id: number
  email: string
  status: string
  registered_on: string
  started_on: string
  completed_on: string
  expire_on: string
}

/** The learners of every course by its name, as enrolled-students lists them, each by address. */
export async function studentsOf(connection: Connection, courses: [string, number][]) {
  const bar = new ProgressBar("Learners of courses", courses.length)
  const found = new Map<string, Map<string, Student>>()
  await each(courses, WIDTH, async ([name, id]) => {
    const students = new Map<string, Student>()
    const list = `/api/course/enrolled-students?course_id=${id}&group_id=&page_size=500&page_number=1`
    for await (const student of recordsOf<Student>(connection, list)) students.set(student.email, student)
    found.set(name, students)
    bar.step()
  })
  return found
}

/** What differs between the results of quizzes and of assignments: where and as what they are recorded. */
const RESULTS = {
  quizzes: {
    words: "Attempts",
    path: "/api/quiz/record",
    member: "attempts",
    marks: (score: number | undefined) => ({ score, outOf: 100 }),
  },
  assignments: {
    words: "Submissions",
    path: "/api/module/assignment/record",
    member: "submissions",
    marks: (score: number | undefined) => ({ pointsAwarded: score }),
  },
}

/** Those that are recorded stay as they are. @returns how many were recorded. @throws when one is skipped */
export async function loadResults(
  connection: Connection,
  what: keyof typeof RESULTS,
  results: Attempt[],
  students: Map<string, Map<string, Student>>,
  { modules }: Catalogue,
): Promise<number> {
  const { words, path, member, marks } = RESULTS[what]
  const bar = new ProgressBar(words, results.length)
  let made = 0
  await each(slices(results, RESULTS_PER_CALL), 1, async (some) => {
    const rows = some.map((row) => ({
      registrationId: students.get(row.course)?.get(row.email)?.id,
      moduleId: modules.get(row.of),
      submitted_on: row.submittedOn,
      ...marks(row.score),
    }))
    const answer = await call(connection, "POST", path, { [member]: rows })
    const { recorded, skipped, message } = await json<{ recorded: number; skipped: number; message: string }>(answer)
    if (skipped > 0) throw new Error(message)
    made += recorded
    bar.step(some.length)
  })
  return made
}
