import { describe, expect, it } from "vitest"
import { runJobs } from "../factories/background-jobs.ts"
import { classEnrollment, classOf } from "../factories/classes.ts"
import { deliverErasure } from "../factories/erasures.ts"
import { type FeedEvent, readFeed } from "../factories/events.ts"
import { group, portal, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { get, post, put, query } from "../helpers/client.ts"

// A copy of the people of one group or portal, kept by the feed that is limited to it.

type Row = Record<string, unknown>
type Scope = { groupId: number } | { portalId: number }

/** What a copy has of each table: the fields that both the lists and the events return. */
const TABLES = {
  users: {
    path: "/api/users/tabularlist",
    toRow: ({ id, first_name, last_name, email, is_disabled }: Row) =>
      ({ id, userId: id, name: `${first_name} ${last_name}`.trim(), email, disabled: is_disabled }) as Row,
  },
  enrollments: {
    path: "/api/enrollments/tabularlist",
    toRow: ({ id, userId, courseId, status }: Row) => ({ id, userId, courseId, status }),
  },
  certificates: {
    path: "/api/certificates/tabularlist",
    toRow: ({ id, userId, courseId }: Row) => ({ id, userId, courseId }),
  },
} as const
type Table = keyof typeof TABLES
const tables = Object.keys(TABLES) as Table[]

async function rowsOf(table: Table, parameters: object, reader: { token: string }): Promise<Row[]> {
  const { path, toRow } = TABLES[table]
  const answer = await get(`${path}${query({ page_size: 500, page_number: 1, ...parameters })}`, reader)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.records.map(toRow)
}

const idOf = (value: unknown) => (value as { id: number }).id

class Copy {
  readonly tables: Record<Table, Map<unknown, Row>> = {
    users: new Map(),
    enrollments: new Map(),
    certificates: new Map(),
  }
  isDeleted = false
  private readonly scope: Scope
  private readonly listScope: object
  private readonly reader: { token: string }
  private cursor = "latest"

  constructor(scope: Scope, reader: { token: string }) {
    this.reader = reader
    this.scope = scope
    this.listScope = "groupId" in scope ? { group_id: scope.groupId } : scope
  }

  private rows(table: Table, parameters = this.listScope) {
    return rowsOf(table, parameters, this.reader)
  }

  private put(table: Table, row: Row) {
    this.tables[table].set(row.id, row)
  }

  async start() {
    await this.update()
    for (const table of tables) for (const row of await this.rows(table)) this.put(table, row)
  }

  private removePerson(userId: unknown) {
    for (const rows of Object.values(this.tables))
      for (const [id, row] of rows) if (row.userId === userId) rows.delete(id)
  }

  /** A user with existing records joins. */
  private async addPerson(userId: number) {
    const people = await this.rows("users")
    for (const row of people) if (row.userId === userId) this.put("users", row)
    for (const table of ["enrollments", "certificates"] as const)
      for (const row of await this.rows(table, { user_id: userId })) this.put(table, row)
  }

  private async apply({ type, data }: FeedEvent) {
    if (/^(group|portal)\.deleted$/.test(type)) this.isDeleted = true
    if (/^(group|portal)\.member_added$/.test(type) && !data.deleted) await this.addPerson(idOf(data.user))
    if (/^(group|portal)\.member_removed$/.test(type)) this.removePerson(idOf(data.user))
    if (type === "user.deleted") this.removePerson(data.id)
    const [object] = type.split(".")
    if (object === "user" && !data.deleted) {
      const { id, firstName, lastName, email, disabled } = data
      this.put("users", { id, userId: id, name: `${firstName} ${lastName}`.trim(), email, disabled })
    }
    if (object === "enrollment") {
      const { id, user: person, course: of, status } = data
      if (data.deleted) this.tables.enrollments.delete(id)
      else this.put("enrollments", { id, userId: idOf(person), courseId: idOf(of), status })
    }
    if (object === "certificate" && !data.deleted)
      this.put("certificates", { id: data.id, userId: idOf(data.user), courseId: idOf(data.course) })
  }

  /** @returns the types of the new events */
  async update(): Promise<string[]> {
    const { events, cursor } = await readFeed({ after: this.cursor, ...this.scope })
    this.cursor = cursor
    for (const event of events) await this.apply(event)
    return events.map(({ type }) => type)
  }

  async expectEqual(what: string) {
    for (const table of tables) {
      const byId = (rows: Row[]) => rows.toSorted((a, b) => Number(a.id) - Number(b.id))
      const expected = byId(await this.rows(table))
      expect(byId([...this.tables[table].values()]), `${table} after: ${what}`).toEqual(expected)
    }
  }
}

const setMembers = (groupId: number, ids: number[]) => put(`/api/group/${groupId}`, { user_ids: ids })

describe("a copy of the people of a group", () => {
  it("stays equal while they join, change, leave and are deleted", async () => {
    const [ada, bob, cy, dee] = [await user(), await user(), await user(), await user()]
    const outsider = await user()
    const { id: groupId } = await group({ members: [ada.id, bob.id, cy.id] })
    const [algebra, logic] = [await course(), await course()]
    await post("/api/course/enroll", { course_ids: [algebra.id], user_ids: [ada.id, dee.id, outsider.id] })
    const copy = new Copy({ groupId }, await signedIn("admin"))
    await copy.start()
    await copy.expectEqual("the start")
    const lesson = await classOf(algebra)
    const acts: Record<string, () => Promise<unknown>> = {
      "a member is renamed": () => put(`/api/user/${ada.id}`, { firstName: "Augusta" }),
      "an outsider is renamed": () => put(`/api/user/${outsider.id}`, { firstName: "Olga" }),
      "a member is enrolled": () =>
        post("/api/course/enroll", { course_ids: [logic.id], user_ids: [bob.id, outsider.id] }),
      "a person joins with enrollments": () => setMembers(groupId, [ada.id, bob.id, cy.id, dee.id]),
      "a member leaves": () => setMembers(groupId, [ada.id, cy.id, dee.id]),
      "a former member is renamed": () => put(`/api/user/${bob.id}`, { firstName: "Robert" }),
      "a member is unenrolled": () => post("/api/course/unenroll", { course_ids: [algebra.id], user_ids: [dee.id] }),
      "a class of a member is deleted": async () => {
        await classEnrollment(ada, lesson)
        return post("/api/class/delete", { classId: lesson.id })
      },
      "a member is deleted": () => post("/api/user/delete", { delete_ids: [cy.id] }),
      "a member and an outsider are deleted": () => post("/api/user/delete", { delete_ids: [dee.id, bob.id] }),
      "a member is erased": async () => {
        const { token } = await signedIn("admin")
        const erased = await post("/api/user/erase", { userId: ada.id, email: ada.email }, { token })
        await deliverErasure(ada.id)
        return erased
      },
    }
    const types: string[] = []
    for (const [what, act] of Object.entries(acts)) {
      expect(await act(), what).toMatchObject({ status: 200 })
      await runJobs()
      types.push(...(await copy.update()))
      await copy.expectEqual(what)
    }
    expect(types.filter((type) => type === "user.deleted")).toHaveLength(2)
    expect(copy.isDeleted).toBe(false)
    await post("/api/group/delete", { delete_ids: [groupId] })
    expect(await copy.update()).toContain("group.deleted")
    expect(copy.isDeleted).toBe(true)
  })
})

describe("a copy of the people of a portal", () => {
  it("stays equal while they join, change and leave, and ends with the portal", async () => {
    const [ada, bob, cy] = [await user(), await user(), await user()]
    const { id: portalId } = await portal({ members: [ada.id] })
    const algebra = await course()
    await post("/api/course/enroll", { course_ids: [algebra.id], user_ids: [bob.id] })
    const copy = new Copy({ portalId }, await signedIn("admin"))
    await copy.start()
    const setPortalMembers = (ids: number[]) => put(`/api/portal/${portalId}`, { member_ids: ids })
    const acts: Record<string, () => Promise<unknown>> = {
      "a member is renamed": () => put(`/api/user/${ada.id}`, { firstName: "Augusta" }),
      "a person joins with enrollments": () => setPortalMembers([ada.id, bob.id, cy.id]),
      "a member leaves": () => setPortalMembers([bob.id, cy.id]),
      "a former member is deleted": () => post("/api/user/delete", { delete_ids: [ada.id] }),
      "a member is not deleted": () => post("/api/user/delete", { delete_ids: [cy.id] }),
    }
    for (const [what, act] of Object.entries(acts)) {
      expect(await act(), what).toMatchObject({ status: 200 })
      await copy.update()
      await copy.expectEqual(what)
    }
    expect((await post("/api/portal/delete", { delete_ids: [portalId] })).status).toBe(200)
    expect(await copy.update()).toContain("portal.deleted")
  })
})
