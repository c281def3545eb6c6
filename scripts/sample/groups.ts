import type { Academy } from "./academy.ts"

/** The group that group@example.com administers, of the first dozen learners, and one without an administrator. */
export async function groups(academy: Academy) {
  const learners = academy.learners()
  await academy.create("/api/group/create", "evening-class", {
    name: "Evening class",
    user_ids: [academy.userId("learner@example.com"), ...learners.slice(0, 11)],
    admin_ids: [academy.userId("group@example.com")],
  })
  await academy.create("/api/group/create", "weekend-class", { name: "Weekend class", user_ids: learners.slice(9, 19) })
}
