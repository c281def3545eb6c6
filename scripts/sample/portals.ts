import { type Academy, DAY } from "./academy.ts"

/** The portal that portal@example.com administers, with learners of its own, and a second portal. */
export async function portals(academy: Academy) {
  const created = { created_at: academy.at - 250 * DAY }
  const northwind = await academy.record("portals", "slug", {
    name: "Northwind Academy",
    slug: "northwind-academy",
    ...created,
  })
  const harbour = await academy.record("portals", "slug", { name: "Harbour Works", slug: "harbour-works", ...created })
  const learners = academy.learners()
  await addMembers(academy, northwind, "admin", [academy.userId("portal@example.com")])
  await addMembers(academy, northwind, "learner", learners.slice(20, 32))
  await addMembers(academy, harbour, "learner", learners.slice(30, 36))
}

const addMembers = (academy: Academy, portalId: number, role: "admin" | "learner", userIds: number[]) =>
  academy.sql(
    "insert into portal_members (portal_id, user_id, role) select ?, value, ? from json_each(?) where true on conflict do nothing",
    [portalId, role, JSON.stringify(userIds)],
  )
