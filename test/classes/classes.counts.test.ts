import { eq } from "drizzle-orm"
import { describe, expect, it } from "vitest"
import { classCounts, classEnrollments, classes } from "../../drizzle/schema/classes.ts"
import { groupMembers } from "../../drizzle/schema/groups.ts"
import { users } from "../../drizzle/schema/users.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { db, group, user } from "../factories/index.ts"

/** The counts of the rows by audience and class, which the stored counters must equal. */
const counted = async () => {
  const rows = await db.select().from(classEnrollments)
  const members = await db.select().from(groupMembers)
  const expected = new Map<string, number[]>()
  for (const row of rows) {
    const groups = members.filter(({ userId }) => userId === row.userId).map(({ groupId }) => `group:${groupId}`)
    const keys = ["all 0", ...["all", ...groups].map((who) => `${who} ${row.classId}`)]
    for (const key of keys) {
      const expectedCounts = expected.get(key) ?? [0, 0, 0, 0]
      const statusIndex = ["Registered", "Attended", "No Show", "Cancelled"].indexOf(row.status)
      expected.set(
        key,
        expectedCounts.map((count, index) => count + Number(index === statusIndex)),
      )
    }
  }
  return new Map([...expected].sort())
}

const storedCounts = async () =>
  new Map(
    (await db.select().from(classCounts))
      .map((row): [string, number[]] => [
        `${row.audience} ${row.classId}`,
        [row.registered, row.attended, row.noShow, row.cancelled],
      ])
      .filter(([, counts]) => counts.some((count) => count !== 0))
      .sort(),
  )

describe("the counters of class enrollments", () => {
  it("follow enrollments, statuses, memberships and deletions", async () => {
    const [first, second] = [await classOf(), await classOf()]
    const [ada, bob, eve] = [await user(), await user(), await user()]
    const team = await group({ members: [ada.id] })
    await classEnrollment(ada, first)
    const moved = await classEnrollment(bob, first, { status: "Attended" })
    await classEnrollment(eve, second)
    await classEnrollment(ada, second, { status: "Cancelled" })
    expect(await storedCounts()).toEqual(await counted())

    await db.insert(groupMembers).values({ groupId: team.id, userId: bob.id })
    await db.update(classEnrollments).set({ status: "No Show" }).where(eq(classEnrollments.id, moved.id))
    expect(await storedCounts()).toEqual(await counted())
    expect(
      (await db.select({ id: classes.id, size: classes.size }).from(classes).orderBy(classes.id)).map(
        (row) => row.size,
      ),
    ).toEqual([2, 1])

    await db.delete(groupMembers).where(eq(groupMembers.userId, ada.id))
    expect(await storedCounts()).toEqual(await counted())
    await db.delete(users).where(eq(users.id, bob.id))
    expect(await storedCounts()).toEqual(await counted())
    await db.delete(classes).where(eq(classes.id, second.id))
    expect(await storedCounts()).toEqual(await counted())
    expect(await storedCounts()).toEqual(
      new Map([
        ["all 0", [1, 0, 0, 0]],
        [`all ${first.id}`, [1, 0, 0, 0]],
      ]),
    )
  })

  it("copy a user's name to the enrollments", async () => {
    const ada = await user()
    const trainingClass = await classOf()
    await classEnrollment(ada, trainingClass)
    await db.update(users).set({ firstName: "Ada" }).where(eq(users.id, ada.id))
    expect(await db.select().from(classEnrollments)).toMatchObject([{ firstName: "Ada" }])
  })
})
