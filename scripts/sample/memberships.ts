import { type Academy, DAY } from "./academy.ts"

/** Two memberships. learner@example.com and a third of the others have one; a few of them have ended. */
export async function memberships(academy: Academy) {
  const courses = await academy.sql("select id from courses where status = 'publish' order by id")
  const course_ids = courses.map(([id]) => id)
  const annual = await academy.create("/api/membership/create", "annual", {
    name: "Annual",
    expiresAfterDays: 365,
    course_ids,
  })
  const lifetime = await academy.create("/api/membership/create", "lifetime", { name: "Lifetime", course_ids })
  const others = academy
    .learners()
    .flatMap((id, index): { id: number; membership: number; expires: number | null }[] => {
      if (index % 3 !== 0) return []
      if (index % 9 === 0) return [{ id, membership: lifetime, expires: null }]
      return [{ id, membership: annual, expires: academy.at + (index * 23 - 60) * DAY }]
    })
  const rows = [
    { id: academy.userId("learner@example.com"), membership: annual, expires: academy.at + 200 * DAY },
    ...others,
  ]
  await academy.sql(
    `update users set membership_id = row.value ->> 'membership', membership_expires_at = row.value ->> 'expires'
     from json_each(?) as row where users.id = row.value ->> 'id'`,
    [JSON.stringify(rows)],
  )
}
