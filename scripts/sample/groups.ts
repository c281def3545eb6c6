import type { Academy } from "./academy.ts"

/** The group of group@example.com with a dozen learners and seats in two courses, and a group without administrator. */
export async function groups(academy: Academy) {
  const learners = academy.learners()
  const courses = await academy.sql("select id from courses where status = 'publish' order by id limit 2")
  await academy.create("/api/group/create", "evening-class", {
    name: "Evening class",
    user_ids: [academy.userId("learner@example.com"), ...learners.slice(0, 11)],
    admin_ids: [academy.userId("group@example.com")],
    course_seats: courses.map(([id]) => ({ course_id: id, total_seats: 20 })),
  })
  await academy.create("/api/group/create", "weekend-class", { name: "Weekend class", user_ids: learners.slice(9, 19) })
}
