import { type Academy, DAY } from "./academy.ts"

const COURSE = "Safety at work"
/** How many learners are overdue, and due soon. */
const GROUP_SIZE = 6

/** Due dates of one course, so that people are overdue, due soon, on track and exempt, and a rule that repeats one. */
export async function dueTraining(academy: Academy) {
  const day = (days: number) => new Date(academy.at + days * DAY).toISOString().slice(0, 10)
  const rows = await academy.sql(
    `select enrollments.id from enrollments
    join courses on courses.id = enrollments.course_id
    join users on users.id = enrollments.user_id
    where courses.name = ? and enrollments.status <> 'Completed' and users.email like '%@learners.example.com'
    order by enrollments.user_id`,
    [COURSE],
  )
  const ids = rows.map(([id]) => Number(id))
  const groups = [
    { ids: ids.slice(0, GROUP_SIZE), days: -6 },
    { ids: ids.slice(GROUP_SIZE, 2 * GROUP_SIZE), days: 4 },
    { ids: ids.slice(2 * GROUP_SIZE), days: 45 },
  ]
  for (const { ids: registrationIds, days } of groups)
    await academy.post("/api/enrollment/due-date", { registrationIds, dueAt: day(days) })
  await academy.post("/api/enrollment/exempt", { registrationIds: ids.slice(-1), reason: "Parental leave" })

  const [course] = await academy.sql("select id from courses where name = 'Fire safety'")
  const [portal] = await academy.sql("select id from portals where slug = 'harbour-works'")
  await academy.create("/api/assignment-rule/create", "fire-safety-rule", {
    name: "Fire safety, every year",
    audience: { portal: [Number(portal?.[0])] },
    courseIds: [Number(course?.[0])],
    due: { type: "days", days: 30, from: "assignment" },
    recurrence: { type: "months", months: 12, opensDaysBefore: 30 },
    onLeave: "remove_if_not_started",
  })
}
