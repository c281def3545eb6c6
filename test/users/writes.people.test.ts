import { env } from "cloudflare:workers"
import { describe, expect, it } from "vitest"
import { sendMails } from "../../src/modules/mail/mail.job.ts"
import { group, PASSWORD, portal, signedIn, tokenOf, type UserRow, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { type Answer, cost, post, put } from "../helpers/client.ts"
import { postOffice } from "../helpers/mailbox.ts"

// The rows that common account operations write, including audit rows, counters and triggers: one row written costs as
// much as a thousand rows read (docs/adr/0004).

interface People {
  staff: { token: string }
  learner: UserRow
}

/** Each operation with the maximum number of rows that it writes. */
const OPERATIONS: Record<string, { rows: number; run: (people: People) => Promise<Answer> }> = {
  "create a user, with the email": {
    rows: 20,
    run: ({ staff }) =>
      post(
        "/api/user/create",
        { firstName: "Ada", email: "ada@example.com", password: PASSWORD, password_confirmation: PASSWORD },
        staff,
      ),
  },
  "sign in": { rows: 4, run: ({ learner }) => post("/login", { email: learner.email, password: PASSWORD }) },
  "rename a user": {
    rows: 9,
    run: ({ staff, learner }) => put(`/api/user/${learner.id}`, { firstName: "Zoe" }, staff),
  },
  "change a user's note": {
    rows: 7,
    run: ({ staff, learner }) => put(`/api/user/${learner.id}`, { internal_note: "Calls on Mondays" }, staff),
  },
  "change a badge's icon": {
    rows: 5,
    run: async ({ staff }) => {
      const created = await post("/api/badge/create", { title: "Star", badgeIconUrl: "/a.svg" }, staff)
      return put(`/api/badge/${created.body.id}`, { title: "Star", badgeIconUrl: "/b.svg" }, staff)
    },
  },
  "award a badge": {
    rows: 16,
    run: async ({ staff, learner }) => {
      const { body } = await post("/api/badge/create", { title: "Star", badgeIconUrl: "/a.svg", points: 5 }, staff)
      return post("/api/badge/award", { id: body.id, user_ids: [learner.id] }, staff)
    },
  },
  "join a group that has an administrator": {
    rows: 13,
    run: async ({ staff, learner }) => {
      const { id } = await group({ admins: [(await user()).id] })
      return put(`/api/group/${id}`, { add_user_ids: [learner.id] }, staff)
    },
  },
  "join a portal that has an administrator": {
    rows: 14,
    run: async ({ staff, learner }) => {
      const { id } = await portal({ admins: [(await user()).id] })
      return put(`/api/portal/${id}`, { add_member_ids: [learner.id] }, staff)
    },
  },
  consent: {
    rows: 9,
    run: async ({ learner }) =>
      post("/api/user-consent/create", { consentId: "terms", status: "accepted" }, { token: await tokenOf(learner) }),
  },
  "review a course": {
    rows: 13,
    run: async ({ learner }) => {
      const { id } = await course()
      await enrollment(learner, { id })
      return post("/api/review/create", { courseId: id, rating: 4 }, { token: await tokenOf(learner) })
    },
  },
}

describe("rows written", () => {
  it.each(Object.entries(OPERATIONS))("stay within the limit: %s", async (_, { rows, run }) => {
    const staff = await signedIn("admin")
    const response = await run({ staff, learner: await user({ firstName: "Ada" }) })
    expect(response.status, JSON.stringify(response.body)).toBe(200)
    expect(cost(response).written).toBeLessThanOrEqual(rows)
  })

  it("stay within the limit: send an email", async () => {
    const staff = await signedIn("admin")
    const person = { firstName: "Ada", email: "ada@example.com", password: PASSWORD, password_confirmation: PASSWORD }
    expect((await post("/api/user/create", person, staff)).status).toBe(200)
    const office = postOffice()
    const meter = withWriteCount(env.DB)
    await sendMails({ ...office.env, DB: meter.binding }, { mails: 1 })
    expect(office.sent).toHaveLength(1)
    expect(meter.written()).toBeLessThanOrEqual(3)
  })
})

/** A database binding that counts the rows written through its sessions. */
function withWriteCount(database: D1Database) {
  let rows = 0
  const withSession = (constraint?: string) => {
    const session = database.withSession(constraint)
    const batch = async (statements: D1PreparedStatement[]) => {
      const results = await session.batch(statements)
      for (const { meta } of results) rows += meta.rows_written
      return results
    }
    return { prepare: session.prepare.bind(session), getBookmark: session.getBookmark.bind(session), batch }
  }
  // openDatabase uses nothing else.
  return { binding: { withSession } as unknown as D1Database, written: () => rows }
}
