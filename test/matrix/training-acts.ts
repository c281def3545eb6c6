import { signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { post, put } from "../helpers/client.ts"
import { type Act, many, nth } from "./repeatable.ts"

// The mutations of assigned training, for REPEATABLE_MUTATIONS.

const RULE = { audience: { role: ["general"] }, due: { type: "days", days: 30, from: "assignment" } }
const createRule = (courseId: number, n: number, options = {}) =>
  post("/api/assignment-rule/create", { ...RULE, name: `Rule ${n}`, courseIds: [courseId] }, options)

/** Enrollments of one course with a due date that was set by hand. */
async function dueEnrollments(count: number, dueAt?: string) {
  const inside = await course()
  const all = await many(count, async () => enrollment(await user(), inside))
  if (dueAt) await post("/api/enrollment/due-date", { registrationIds: all.map(({ id }) => id), dueAt })
  return all
}

/** A mutation of one enrollment with a due date. */
const enrollmentAct = (path: string, body: object, dueAt?: string): Act => ({
  make: async (count) => {
    const all = await dueEnrollments(count, dueAt)
    return (n, headers) => post(path, { registrationIds: [nth(all, n).id], ...body }, { headers })
  },
})

export const TRAINING_ACTS: Record<string, Act> = {
  "an assignment rule is created": {
    make: async () => {
      const { id } = await course()
      await user()
      return (n, headers) => createRule(id, n, { headers })
    },
  },
  "an assignment rule is changed": {
    make: async (count) => {
      const { id } = await course()
      const rules = await many(count, async (n) => (await createRule(id, n)).body.id as number)
      return (n, headers) =>
        put(`/api/assignment-rule/${nth(rules, n)}`, { recurrence: { type: "months", months: 12 } }, { headers })
    },
  },
  "a due date is set": enrollmentAct("/api/enrollment/due-date", { dueAt: "2036-05-01" }),
  "a due date is extended": enrollmentAct(
    "/api/enrollment/extend",
    { dueAt: "2036-06-01", reason: "On leave" },
    "2036-05-01",
  ),
  "a learner is exempted": enrollmentAct("/api/enrollment/exempt", { reason: "On leave" }, "2036-05-01"),
  "a learner is reminded": enrollmentAct("/api/enrollment/remind", {}, "2036-05-01"),
  "a transcript is issued": {
    make: async (count) => {
      const people = await many(count, () => user())
      const inside = await course()
      for (const each of people) await enrollment(each, inside)
      return (n, headers) => post(`/api/transcript/user/${nth(people, n).id}/issue`, {}, { headers })
    },
  },
  "the settings are changed": {
    make: async () => (n, headers) => put("/api/settings", { name: `Academy ${n % 2}` }, { headers }),
  },
  "a notification's text is changed": {
    make: async () => {
      const change = (n: number, options = {}) =>
        put("/api/notification-template/enrolled", { subject: `Welcome ${n}`, body: "Hello" }, options)
      await change(-1)
      return (n, headers) => change(n, { headers })
    },
  },
  "preferences for notifications are changed": {
    make: async (count) => {
      const people = await many(count, () => signedIn("general"))
      return (n, headers) =>
        put(
          "/api/notification-preferences",
          { records: [{ kind: "due_soon", mail: "daily", inApp: true }] },
          { token: nth(people, n).token, headers },
        )
    },
  },
}
