import { type Academy, DAY } from "./academy.ts"

/** The group that group@example.com administers, of the first dozen learners, and one without an administrator. */
export async function groups(academy: Academy) {
  const created = { created_at: academy.at - 300 * DAY }
  const evening = await academy.record("groups", "name", { name: "Evening class", ...created })
  const weekend = await academy.record("groups", "name", { name: "Weekend class", ...created })
  const learners = academy.learners()
  await addMembers(academy, evening, [academy.userId("learner@example.com"), ...learners.slice(0, 11)])
  await addMembers(academy, weekend, learners.slice(9, 19))
  await academy.sql("insert into group_admins (group_id, user_id) values (?, ?) on conflict do nothing", [
    evening,
    academy.userId("group@example.com"),
  ])
}

const addMembers = (academy: Academy, groupId: number, userIds: number[]) =>
  academy.sql(
    "insert into group_members (group_id, user_id) select ?, value from json_each(?) where true on conflict do nothing",
    [groupId, JSON.stringify(userIds)],
  )
