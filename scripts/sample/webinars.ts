import { query } from "../lib/request.ts"
import { type Academy, DAY } from "./academy.ts"

const HOUR = 3_600_000
const ONLINE = { webinarProvider: "Meet", allowDownload: true, disabled: false }

/** Online classes: a future one, and one of last week with attendance, notes and recordings. */
export async function webinars(academy: Academy) {
  const instructor = academy.userId("staff@example.com")
  const learners = [academy.userId("learner@example.com"), ...academy.learners().slice(0, 8)]
  const courses = await academy.sql("select id from courses where status = 'publish' order by id limit 2")
  const [algebra, next] = courses.map(([id]) => Number(id))
  const time = (at: number) => new Date(Math.floor(at / HOUR) * HOUR).toISOString()
  const hold = (key: string, courseId: number | undefined, start: number, timeZone = "UTC") =>
    academy.create("/api/class/create", `webinar-${key}`, {
      ...ONLINE,
      timeZone,
      courseId,
      instructor,
      type: "onetime",
      starttime: time(start),
      endTime: time(start + HOUR),
      webinar_meeting_id: `sample-${key}`,
    })
  const enrolled = async (classId: number) =>
    (await academy.sql("select id from class_enrollments where class_id = ? order by id", [classId])).map(([id]) =>
      Number(id),
    )

  const coming = await hold("coming", next, academy.at + 5 * DAY, "Europe/Lisbon")
  await academy.post(`/api/class/enroll/${coming}`, { studentIds: learners.slice(0, 5) })

  // Past classes accept no enrollments: this one is moved to the past after the learners are enrolled.
  const past = await hold("past", algebra, academy.at + 6 * DAY)
  if ((await enrolled(past)).length === 0) await academy.post(`/api/class/enroll/${past}`, { studentIds: learners })
  const start = academy.at - 7 * DAY
  await academy.post("/api/class/update", { id: past, startTime: time(start), endTime: time(start + HOUR) })
  const places = await enrolled(past)
  const marked = (path: string, ids: number[], more: Record<string, string>) =>
    academy.get(`/api/users/${path}${query({ ids, ...more })}`)
  await marked("update-webinar-status", places.slice(0, 6), { status: "Attended" })
  await marked("update-webinar-status", places.slice(6, 8), { status: "No Show" })
  await marked("update-webinar-status", places.slice(8), { status: "Cancelled" })
  await marked("update-webinar-notes", places.slice(0, 2), { notes: "Asked good questions." })
  for (const [part, minutes] of [30, 25].entries())
    await academy.create("/api/class-recording/create", `recording-${part + 1}`, {
      classId: past,
      name: `Part ${part + 1}`,
      url: `https://meet.example/recordings/sample-${part + 1}`,
      duration: minutes * 60,
    })
}
