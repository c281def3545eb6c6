import { describe, expect, it } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { emailRules } from "../../drizzle/schema/email-rules.ts"
import { supervisorScope } from "../../drizzle/schema/groups.ts"
import { portalMembers, portals } from "../../drizzle/schema/portals.ts"
import { listening, typesIn } from "../factories/events.ts"
import { db, portal, rowsOf, user } from "../factories/index.ts"
import { LECTERN, provider, USER } from "../factories/scim.ts"
import { expectExactSupervisorScope } from "../factories/supervisor-scope.ts"
import { cost, put } from "../helpers/client.ts"

type Provider = Awaited<ReturnType<typeof provider>>

const values = (...ids: number[]) => ids.map((id) => ({ value: String(id) }))
const withPortals = (...ids: number[]) => ({ [LECTERN]: { portals: values(...ids) } })
const shown = (id: number, display: string, type = "learner") => ({ value: String(id), display, type })
const portalsOf = async (id: number | string) =>
  (await rowsOf(portalMembers)).filter(({ userId }) => userId === Number(id)).map(({ portalId }) => portalId)
const replaceUser = (idp: Provider, id: string, more: object) =>
  idp.put(`/Users/${id}`, { schemas: [USER], userName: "ada@example.com", name: { givenName: "Ada" }, ...more })

async function academy() {
  const [north, south, west] = [
    await portal({ name: "North" }),
    await portal({ name: "South" }),
    await portal({ name: "West" }),
  ]
  return { idp: await provider(), north: north.id, south: south.id, west: west.id }
}

describe("the portals of a SCIM user", () => {
  it("are set when the user is created, with the audit row and the event of the portal", async () => {
    const { idp, north, south } = await academy()
    const events = await listening()
    const made = await idp.createUser("ada@example.com", withPortals(north, south))
    expect(made).toMatchObject({
      status: 201,
      body: { schemas: [USER, LECTERN], [LECTERN]: { portals: [shown(north, "North"), shown(south, "South")] } },
    })
    expect(cost(made).roundTrips).toBe(2)
    const { id } = made.body
    expect(await portalsOf(id)).toEqual([north, south])
    expect((await rowsOf(auditLogs)).filter(({ subject }) => subject === "portal")).toMatchObject([
      { action: "updated", subjectId: north, effectOn: "North", details: { add_member_ids: [Number(id)] } },
      { action: "updated", subjectId: south, effectOn: "South", details: { add_member_ids: [Number(id)] } },
    ])
    const types = typesIn(await events())
    expect(types.filter((type) => type === "portal.member_added")).toHaveLength(2)
    expect(types).toContain("user.created")
    expect((await rowsOf(portals)).map(({ version }) => version)).toEqual([2, 2, 1])
    const read = await idp.get(`/Users/${id}`)
    expect(read.body).toEqual(made.body)
    expect(cost(read).roundTrips).toBe(1)
  })

  it("are replaced by a PUT, stay when it omits them, and a PUT of what was read writes nothing", async () => {
    const { idp, north, south, west } = await academy()
    const { body: made } = await idp.createUser("ada@example.com", {
      name: { givenName: "Ada" },
      ...withPortals(north, south),
    })
    const logs = (await rowsOf(auditLogs)).length
    expect(await idp.put(`/Users/${made.id}`, made)).toMatchObject({ status: 200, body: made })
    expect(await replaceUser(idp, made.id, {})).toMatchObject({ status: 200, body: made })
    expect(await rowsOf(auditLogs)).toHaveLength(logs)

    const changed = await replaceUser(idp, made.id, withPortals(south, west))
    expect(changed.body[LECTERN].portals).toEqual([shown(south, "South"), shown(west, "West")])
    expect(cost(changed).roundTrips).toBe(2)
    expect(changed.body.meta.version).not.toBe(made.meta.version)
    expect((await rowsOf(auditLogs)).slice(logs)).toMatchObject([
      { subject: "portal", subjectId: north, details: { remove_member_ids: [Number(made.id)] } },
      { subject: "portal", subjectId: west, details: { add_member_ids: [Number(made.id)] } },
    ])
    const none = await replaceUser(idp, made.id, withPortals())
    expect(none.body.schemas).toEqual([USER])
    expect(await portalsOf(made.id)).toEqual([])
  })

  it("are changed by PATCH operations in their order, with every form of path", async () => {
    const { idp, north, south, west } = await academy()
    const { body: made } = await idp.createUser("ada@example.com", withPortals(north))
    const patched = async (...operations: object[]) => {
      const { status } = await idp.patch(`/Users/${made.id}`, operations)
      expect(status).toBe(200)
      return portalsOf(made.id)
    }
    const path = `${LECTERN}:portals`
    expect(await patched({ op: "add", path, value: values(south) })).toEqual([north, south])
    expect(await patched({ op: "remove", path: `${path}[value eq "${north}"]` })).toEqual([south])
    expect(await patched({ op: "add", value: { [path]: String(west) } })).toEqual([south, west])
    expect(await patched({ op: "remove", path, value: values(west) })).toEqual([south])
    expect(
      await patched({ op: "replace", value: withPortals(north) }, { op: "add", path, value: values(west) }),
    ).toEqual([north, west])
    expect(
      await patched({ op: "add", path, value: values(south) }, { op: "remove", path, value: values(south, north) }),
    ).toEqual([west])
    expect(await patched({ op: "remove", path })).toEqual([])
  })

  it("keep those that the user administers", async () => {
    const { idp, north, south } = await academy()
    const { body: made } = await idp.createUser("ada@example.com", withPortals(south))
    await put(`/api/portal/${north}`, { admin_ids: [Number(made.id)] })
    const read = await idp.get(`/Users/${made.id}`)
    expect(read.body[LECTERN].portals).toEqual([shown(north, "North", "admin"), shown(south, "South")])
    const changed = await idp.patch(`/Users/${made.id}`, [{ op: "replace", value: withPortals() }])
    expect(changed.body[LECTERN].portals).toEqual([shown(north, "North", "admin")])
  })

  it("decide what supervisors see", async () => {
    const { idp, north } = await academy()
    const supervisor = await user({ userType: "portal_admin" })
    await put(`/api/portal/${north}`, { admin_ids: [supervisor.id] })
    const { body: made } = await idp.createUser("ada@example.com", withPortals(north))
    expect(await rowsOf(supervisorScope)).toMatchObject([{ supervisorId: supervisor.id, userId: Number(made.id) }])
    await expectExactSupervisorScope()
    await replaceUser(idp, made.id, withPortals())
    expect(await rowsOf(supervisorScope)).toEqual([])
    await expectExactSupervisorScope()
  })

  it("are refused like a change of the portal, and nothing is written", async () => {
    const { idp, north } = await academy()
    const closed = await portal({ name: "Closed", status: "inactive" })
    const full = await portal({ name: "Full", totalSeat: 1 })
    await idp.createUser("first@example.com", withPortals(full.id))
    await db.insert(emailRules).values({ portalId: north, kind: "blocked", entry: "example.com" })
    const refused = async (portalsSent: unknown) => {
      const { status, body } = await idp.createUser("ada@example.com", { [LECTERN]: { portals: portalsSent } })
      return [status, body.scimType, body.detail]
    }
    expect(await refused(values(closed.id))).toEqual([
      409,
      undefined,
      "The portal is inactive and accepts no new members. Set its status to active first.",
    ])
    expect((await refused(values(full.id)))[2]).toContain("The portal has 1 seat, but would have 2 learners.")
    expect(await refused(values(north))).toEqual([
      400,
      "invalidValue",
      "portals: North does not accept the user's email address.",
    ])
    expect(await refused(values(999))).toEqual([
      400,
      "invalidValue",
      "portals refers to records that do not exist: 999.",
    ])
    expect((await refused(["north"])).slice(0, 2)).toEqual([400, "invalidValue"])
    expect(
      (await idp.get(`/Users?filter=${encodeURIComponent('userName eq "ada@example.com"')}`)).body.totalResults,
    ).toBe(0)
  })

  it("can be changed by keys with the role admin only; other keys leave them", async () => {
    const { north } = await academy()
    const idp = await provider({ role: "staff" })
    expect(await idp.createUser("ada@example.com", withPortals(north))).toMatchObject({
      status: 403,
      body: { detail: "Changing the portals of a user takes the role admin." },
    })
    const { status, body } = await idp.createUser("ada@example.com")
    expect(status).toBe(201)
    expect((await idp.put(`/Users/${body.id}`, { ...body, ...withPortals() })).status).toBe(200)
  })

  it("can be searched by id", async () => {
    const { idp, north, south } = await academy()
    await idp.createUser("ada@example.com", withPortals(north, south))
    await idp.createUser("bob@example.com", withPortals(south))
    await idp.createUser("eve@example.com")
    const found = async (filter: string) => {
      const { status, body } = await idp.get(`/Users?filter=${encodeURIComponent(filter)}`)
      return status === 200
        ? body.Resources.map((one: { userName: string }) => one.userName.split("@")[0])
        : body.scimType
    }
    expect(await found(`${LECTERN}:portals eq "${north}"`)).toEqual(["ada"])
    expect(await found(`${LECTERN}:portals[value eq "${south}"]`)).toEqual(["ada", "bob"])
    expect(await found(`not (${LECTERN}:portals.value eq "${north}") and userName pr`)).toEqual(["bob", "eve"])
    expect(await found(`${LECTERN}:portals pr`)).toEqual(["ada", "bob"])
    expect(await found(`${LECTERN}:portals gt "1"`)).toBe("invalidFilter")
    expect(await found(`${LECTERN}:shoes eq "1"`)).toBe("invalidFilter")
  })

  it("are limited by attributes and excludedAttributes, and are in the schemas", async () => {
    const { idp, north } = await academy()
    const { body: made } = await idp.createUser("ada@example.com", withPortals(north))
    const without = await idp.get(`/Users/${made.id}?excludedAttributes=${LECTERN}`)
    expect(without.body[LECTERN]).toBeUndefined()
    const only = await idp.get(`/Users/${made.id}?attributes=${LECTERN}:portals`)
    expect(only.body).toEqual({
      schemas: [USER, LECTERN],
      id: made.id,
      [LECTERN]: { portals: [shown(north, "North")] },
    })
    expect((await idp.get(`/Schemas/${LECTERN}`)).body).toMatchObject({
      attributes: [{ name: "portals", multiValued: true }],
    })
    expect((await idp.get("/ResourceTypes/User")).body.schemaExtensions).toContainEqual({
      schema: LECTERN,
      required: false,
    })
  })
})
