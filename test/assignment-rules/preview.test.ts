import { describe, expect, it } from "vitest"
import { assignmentClaims, assignmentMembers } from "../../drizzle/schema/assignment-rules.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { outbox } from "../../drizzle/schema/outbox.ts"
import { runJobs } from "../factories/background-jobs.ts"
import { group, rowsOf, signedIn, user } from "../factories/index.ts"
import { course, enrollment } from "../factories/learning.ts"
import { cost, post, put } from "../helpers/client.ts"

const pairs = (rows: { userId: number; courseId: number }[]) => rows.map((row) => `${row.userId}:${row.courseId}`)

/** What rules have assigned. */
async function assigned() {
  const [members, claims, enrolled, mails] = [
    await rowsOf(assignmentMembers),
    await rowsOf(assignmentClaims),
    await rowsOf(enrollments),
    await rowsOf(outbox),
  ]
  return {
    members: members.map(({ userId }) => userId),
    dueDates: new Map(claims.map((claim) => [`${claim.userId}:${claim.courseId}`, claim.dueAt])),
    waiting: claims.filter(({ pending }) => pending).length,
    enrolled: pairs(enrolled),
    mailed: mails.length,
  }
}

/** What changed between two states, as a preview counts it. */
function difference(before: Awaited<ReturnType<typeof assigned>>, after: Awaited<ReturnType<typeof assigned>>) {
  const created = after.enrolled.filter((pair) => !before.enrolled.includes(pair))
  const moved = [...after.dueDates].filter(([pair, dueAt]) => (before.dueDates.get(pair) ?? dueAt) !== dueAt)
  return {
    assigned: after.members.filter((id) => !before.members.includes(id)).length,
    kept: after.members.filter((id) => before.members.includes(id)).length,
    removed: before.members.filter((id) => !after.members.includes(id)).length,
    notified: new Set(created.map((pair) => pair.split(":")[0])).size,
    created: created.length,
    waiting: after.waiting,
    unenrolled: before.enrolled.filter((pair) => !after.enrolled.includes(pair)).length,
    moved: moved.length,
  }
}

const countsOf = ({
  people,
  enrollments: counts,
}: {
  people: Record<string, number>
  enrollments: Record<string, number>
}) => ({
  assigned: people.assigned,
  kept: people.kept,
  removed: people.removed,
  notified: people.notified,
  created: counts.created,
  waiting: counts.waiting,
  unenrolled: counts.removed,
  moved: counts.dueDatesMoved,
})

describe("the preview of an assignment rule", () => {
  it("equals what then happens, and changes nothing", async () => {
    const { token } = await signedIn("owner")
    const [open, full] = [await course(), await course({ totalSeats: 3 })]
    const people = []
    for (let at = 0; at < 8; at++) people.push(await user({ timeZone: at % 2 ? "Asia/Tokyo" : null }))
    const [first, second] = people
    if (!first || !second) throw new Error("No people")
    await enrollment(first, open)
    await enrollment(second, open, { status: "Completed", startedAt: 1, completedAt: 1, percent: 100 })
    const { id: groupId } = await group({ members: people.slice(0, 6).map(({ id }) => id) })
    const other = await group({ members: people.slice(2).map(({ id }) => id) })
    const rule = { audience: { group: [groupId] }, courseIds: [open.id, full.id], due: { type: "days", days: 30 } }

    const empty = await assigned()
    const preview = await post("/api/assignment-rule/preview", rule, { token })
    expect(preview.status, JSON.stringify(preview.body)).toBe(200)
    expect(cost(preview)).toMatchObject({ roundTrips: 2, written: 0 })
    expect(preview.body).toMatchObject({
      people: { assigned: 6, kept: 0, removed: 0, notified: 6, withoutDate: 0 },
      enrollments: { created: 7, existing: 2, completed: 1, waiting: 3, removed: 0, dueDatesMoved: 0 },
      recordsTotal: 6,
    })
    expect(preview.body.records.map(({ id }: { id: number }) => id)).toEqual(people.slice(0, 6).map(({ id }) => id))
    expect(await assigned()).toEqual(empty)

    const { body: created } = await post("/api/assignment-rule/create", { name: "Fire safety", ...rule }, { token })
    await runJobs()
    const before = await assigned()
    expect(difference(empty, before)).toEqual(countsOf(preview.body))
    const dueDates = new Map(
      preview.body.records.map((row: { id: number; dueAt: string }) => [row.id, Date.parse(row.dueAt)]),
    )
    for (const [pair, dueAt] of before.dueDates) expect(dueDates.get(Number(pair.split(":")[0]))).toBe(dueAt)

    const changes = { audience: { group: [other.id] }, due: { type: "days", days: 10 }, onLeave: "remove" }
    const next = await post("/api/assignment-rule/preview", { id: created.id, ...changes, show: "removed" }, { token })
    expect(next.body.people).toMatchObject({ assigned: 2, kept: 4, removed: 2 })
    expect(next.body.records.map(({ id }: { id: number }) => id)).toEqual([first.id, second.id])
    await put(`/api/assignment-rule/${created.id}`, changes, { token })
    await runJobs()
    expect(difference(before, await assigned())).toEqual(countsOf(next.body))

    const unchanged = await post("/api/assignment-rule/preview", { id: created.id, show: "kept" }, { token })
    expect(unchanged.body.people).toMatchObject({ assigned: 0, kept: 6, removed: 0, notified: 0 })
    expect(unchanged.body.enrollments).toMatchObject({ created: 0, removed: 0, dueDatesMoved: 0 })
  })

  it("is refused for references that do not exist, and for the rules of others", async () => {
    const { token } = await signedIn("owner")
    const supervisor = await signedIn("group_admin")
    const { id: courseId } = await course()
    const send = (body: object, as = token) => post("/api/assignment-rule/preview", body, { token: as })
    expect((await send({ id: 99 })).status).toBe(404)
    expect((await send({ audience: { group: [99] } })).status).toBe(422)
    expect((await send({ audience: { everyone: true }, courseIds: [99] })).status).toBe(422)
    expect((await send({ audience: { everyone: true } }, supervisor.token)).status).toBe(422)
    const { id: groupId } = await group({ admins: [supervisor.id] })
    expect(
      (await send({ groupId, audience: { everyone: true }, courseIds: [courseId] }, supervisor.token)).status,
    ).toBe(422)
    expect((await send({ groupId, audience: { everyone: true } }, supervisor.token)).status).toBe(200)
    expect((await send({ groupId: 99, audience: { everyone: true } }, supervisor.token)).status).toBe(404)
  })
})
