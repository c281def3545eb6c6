import { type Academy, DAY } from "./academy.ts"

/** Two memberships; every third learner has one, of which a few have ended. */
export async function memberships(academy: Academy) {
  const annual = await academy.create("/api/membership/create", "annual", { name: "Annual", expiresAfterDays: 365 })
  const lifetime = await academy.create("/api/membership/create", "lifetime", { name: "Lifetime" })
  const rows = academy.learners().flatMap((id, index): { id: number; membership: number; expires: number | null }[] => {
    if (index % 3 !== 0) return []
    if (index % 9 === 0) return [{ id, membership: lifetime, expires: null }]
    return [{ id, membership: annual, expires: academy.at + (index * 23 - 60) * DAY }]
  })
  await academy.sql(
    `update users set membership_id = row.value ->> 'membership', membership_expires_at = row.value ->> 'expires'
     from json_each(?) as row where users.id = row.value ->> 'id'`,
    [JSON.stringify(rows)],
  )
}
