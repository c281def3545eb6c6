import { type Academy, DAY, TEACHER } from "./academy.ts"

/**
 * Announcements by each rule. learner@example.com sees all except the last two: one is for others, and one has expired.
 */
export async function announcements(academy: Academy) {
  const learner = academy.userId("learner@example.com")
  const others = academy.learners()
  const teacher = await academy.by(TEACHER)
  const announce = (key: string, by: Academy, body: object) =>
    by.create("/api/announcement", `announcement-${key}`, { sending_rules: "all", ...body })
  const [taken] = await academy.sql(
    `select courses.id, courses.name
    from enrollments
    join courses on courses.id = course_id
    where user_id = ?
    order by courses.id
    limit 1`,
    [learner],
  )
  const [portal] = await academy.sql("select portal_id from portal_members where user_id = ? order by 1 limit 1", [
    learner,
  ])

  await announce("welcome", academy, {
    heading: "Welcome to the academy",
    content: "<p>Your courses are under <strong>My courses</strong>. Questions go to your teacher.</p>",
  })
  if (taken)
    await announce("course", teacher, {
      heading: `New material in ${taken[1]}`,
      content: "<p>Two worked examples were added to the second part.</p>",
      sending_rules: "specific_course_users",
      course_ids: [taken[0]],
    })
  await announce("study-group", teacher, {
    heading: "Study group on Thursday",
    content: "<p>You are invited. We begin at six.</p><ul><li>Bring your questions</li><li>Bring your notes</li></ul>",
    sending_rules: "specific_users",
    user_ids: [learner, ...others.slice(0, 5)],
  })
  if (portal)
    await announce("portal", academy, {
      heading: "Office closed on Friday",
      content: "<p>Messages are answered on Monday.</p>",
      portal_ids: [portal[0]],
    })
  await announce("exam", teacher, {
    heading: "Second attempt",
    content: "<p>You may take the exam again next week.</p>",
    sending_rules: "specific_users",
    user_ids: others.slice(5, 8),
  })
  // No operation creates an expired announcement, so its expiry is changed later.
  const maintenance = await announce("maintenance", academy, {
    heading: "Maintenance on Sunday night",
    content: "<p>The academy is closed from ten to midnight.</p>",
    sending_rules: "specific_users",
    user_ids: [learner],
  })
  await academy.sql("update announcements set expires_at = ?, created_at = ? where id = ?", [
    academy.at - DAY,
    academy.at - 9 * DAY,
    maintenance,
  ])
  await academy.sql("update announcement_users set shown_until = ? where announcement_id = ?", [
    academy.at - DAY,
    maintenance,
  ])
}
