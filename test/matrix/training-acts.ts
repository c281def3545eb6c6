import { LANGUAGES } from "../../src/lib/text/languages.ts"
import { signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { notify } from "../factories/notifications.ts"
import { type Answer, get, post, put } from "../helpers/client.ts"
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

/** Schedules with different owners: equal exports of one person are one. */
const schedules = (count: number, body: object = {}) =>
  many(count, async (n) => {
    const { token } = await signedIn("staff")
    const { body: made } = await post(
      "/api/report-schedule/create",
      { name: `Report ${n}`, report: "overdue", interval: "weekly", ...body },
      { token },
    )
    return made.id as number
  })

/** A mutation of one report schedule. */
const scheduleAct = (act: (id: number, headers: Record<string, string>) => Promise<Answer>, body?: object): Act => ({
  make: async (count) => {
    const all = await schedules(count, body)
    return (n, headers) => act(nth(all, n), headers)
  },
})
const runSchedule = (id: number, headers: Record<string, string>) =>
  post(`/api/report-schedule/${id}/run`, {}, { headers })

/** People with a notification that they have not read. */
async function notified(count: number) {
  const people = await many(count, () => signedIn("general"))
  await notify(people)
  return people
}

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
  "an assignment rule is evaluated": {
    make: async (count) => {
      const { id } = await course()
      const rules = await many(count, async (n) => (await createRule(id, n)).body.id as number)
      return (n, headers) => post(`/api/assignment-rule/${nth(rules, n)}/run`, {}, { headers })
    },
  },
  "an assignment rule is deleted": {
    make: async (count) => {
      const { id } = await course()
      const rules = await many(count, async (n) => (await createRule(id, n)).body.id as number)
      return (n, headers) =>
        post("/api/assignment-rule/delete", { delete_ids: [nth(rules, n)], enrollments: "keep" }, { headers })
    },
  },
  "a due date is set": enrollmentAct("/api/enrollment/due-date", { dueAt: "2036-05-01" }),
  "a due date is extended": enrollmentAct(
    "/api/enrollment/extend",
    { dueAt: "2036-06-01", reason: "On leave" },
    "2036-05-01",
  ),
  "a learner is exempted": enrollmentAct("/api/enrollment/exempt", { reason: "On leave" }, "2036-05-01"),
  "an exemption is ended": {
    make: async (count) => {
      const all = await dueEnrollments(count, "2036-05-01")
      await post("/api/enrollment/exempt", { registrationIds: all.map(({ id }) => id), reason: "On leave" })
      return (n, headers) => post("/api/enrollment/end-exemption", { registrationIds: [nth(all, n).id] }, { headers })
    },
  },
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
  "a notification's text is reset": {
    make: async (count) => {
      const kinds = ["enrolled", "due_soon", "overdue"] as const
      const texts = kinds.flatMap((kind) => LANGUAGES.map((language) => ({ kind, language })))
      for (const { kind, language } of texts.slice(0, count))
        await put(`/api/notification-template/${kind}`, { subject: "Hello", body: "Hello", language })
      return (n, headers) => {
        const { kind, language } = nth(texts, n)
        return post(`/api/notification-template/${kind}/reset`, { language }, { headers })
      }
    },
  },
  "a notification's text is tried": {
    make: async (count) => {
      const people = await many(count, () => signedIn("staff"))
      return (n, headers) =>
        post("/api/notification-template/enrolled/test", {}, { token: nth(people, n).token, headers })
    },
  },
  "a message is sent": {
    make: async (count) => {
      const people = await many(count, () => user())
      const { token } = await signedIn("staff")
      return (n, headers) =>
        post(
          "/api/notifications/message",
          { user_ids: [nth(people, n).id], subject: "Office hours", text: "Come by." },
          { token, headers },
        )
    },
  },
  "a notification is read": {
    make: async (count) => {
      const people = await notified(count)
      const lists = await many(
        count,
        async (n) => (await get("/api/notifications", { token: nth(people, n).token })).body,
      )
      return (n, headers) =>
        post(
          "/api/notifications/read",
          { ids: [nth(lists, n).records[0].id] },
          { token: nth(people, n).token, headers },
        )
    },
  },
  "all notifications are read": {
    make: async (count) => {
      const people = await notified(count)
      return (n, headers) => post("/api/notifications/read-all", {}, { token: nth(people, n).token, headers })
    },
  },
  "a report schedule is created": {
    make: async (count) => {
      const people = await many(count, () => signedIn("staff"))
      const recipient = await signedIn("staff")
      return (n, headers) =>
        post(
          "/api/report-schedule/create",
          { name: "Overdue", report: "overdue", interval: "weekly", recipientIds: [recipient.id] },
          { token: nth(people, n).token, headers },
        )
    },
  },
  "a report schedule is changed": scheduleAct((id, headers) =>
    put(`/api/report-schedule/${id}`, { interval: "monthly", day: 31 }, { headers }),
  ),
  "a report schedule is deleted": scheduleAct((id, headers) =>
    post("/api/report-schedule/delete", { delete_ids: [id] }, { headers }),
  ),
  "a report is sent now": scheduleAct(runSchedule),
  "a report of a paused schedule is sent now": scheduleAct(runSchedule, { active: false }),
}
