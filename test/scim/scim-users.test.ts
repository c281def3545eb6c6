import { describe, expect, it } from "vitest"
import { apiKeys } from "../../drizzle/schema/api-keys.ts"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { counters } from "../../drizzle/schema/system.ts"
import { users } from "../../drizzle/schema/users.ts"
import { rowsOf, signedIn, tokenOf, user } from "../factories/index.ts"
import { apiKey } from "../factories/keys.ts"
import { course, enrollment } from "../factories/learning.ts"
import { CUSTOM, provider, USER } from "../factories/scim.ts"
import { call, cost, get, post, put } from "../helpers/client.ts"
import { delivered } from "../helpers/mailbox.ts"

const NAME = { givenName: "Ada", familyName: "Byron" }
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

describe("POST /scim/v2/Users", () => {
  it("creates a user without a password or an email, in two round trips", async () => {
    const idp = await provider()
    const made = await idp.createUser("Ada@example.com", {
      externalId: "E-7",
      name: NAME,
      displayName: "Countess Ada",
      active: true,
      emails: [{ value: "other@example.com", type: "work", primary: true }],
      title: "Analyst",
    })
    expect(made.status).toBe(201)
    expect(made.headers.get("content-type")).toBe("application/scim+json")
    const id = made.body.id as string
    const location = `https://lectern.test/scim/v2/Users/${id}`
    expect(made.body).toEqual({
      schemas: [USER],
      id,
      externalId: "E-7",
      userName: "Ada@example.com",
      name: { ...NAME, formatted: "Ada Byron" },
      displayName: "Countess Ada",
      active: true,
      emails: [{ value: "Ada@example.com", type: "work", primary: true }],
      meta: {
        resourceType: "User",
        created: ISO,
        lastModified: ISO,
        location,
        version: expect.stringMatching(/^W\/"1-\w+"$/),
      },
    })
    expect(made.headers.get("location")).toBe(location)
    expect(made.headers.get("etag")).toBe(made.body.meta.version)
    expect(cost(made).roundTrips).toBe(2)
    const read = await idp.get(`/Users/${id}`)
    expect(read.body).toEqual(made.body)
    expect(cost(read).roundTrips).toBe(1)
    expect(await rowsOf(users)).toMatchObject([{ firstName: "Ada", passwordHash: null, userType: "general" }])
    expect(await delivered()).toEqual([])
    expect((await rowsOf(auditLogs)).at(-1)).toMatchObject({ action: "created", subject: "user", performedBy: -idp.id })
  })

  it("takes names in any case, booleans as text, and a name from the whole name or the address", async () => {
    const idp = await provider()
    const made = await idp.post("/Users", {
      SCHEMAS: [USER],
      USERNAME: "grace@example.com",
      Active: "False",
      Name: { Formatted: "Grace Brewster Hopper" },
    })
    expect(made).toMatchObject({
      status: 201,
      body: {
        userName: "grace@example.com",
        active: false,
        name: { givenName: "Grace Brewster", familyName: "Hopper" },
      },
    })
    expect((await idp.createUser("alan.turing@example.com")).body).toMatchObject({
      name: { givenName: "alan.turing", familyName: "" },
      active: true,
    })
  })

  it("stores custom fields under the extension schema", async () => {
    await put("/api/users/customUserFields", { fields: [{ type: "text", label: "Desk", userMetaKey: "desk" }] })
    const idp = await provider()
    const made = await idp.createUser("ada@example.com", { [CUSTOM]: { desk: "4b" } })
    expect(made.body).toMatchObject({ schemas: [USER, CUSTOM], [CUSTOM]: { desk: "4b" } })
    const unknown = await idp.createUser("bob@example.com", { [CUSTOM]: { room: "1" } })
    expect(unknown).toMatchObject({ status: 400, body: { scimType: "invalidValue" } })
    const schemas = await idp.get("/Schemas")
    expect(schemas.body.Resources[2]).toMatchObject({ id: CUSTOM, attributes: [{ name: "desk" }] })
    expect(cost(schemas).roundTrips).toBe(1)
  })

  it("answers 409 for an address or an external id that another user has", async () => {
    const idp = await provider()
    await idp.createUser("ada@example.com", { externalId: "E-7" })
    for (const again of [
      await idp.createUser("ADA@example.com"),
      await idp.createUser("bob@example.com", { externalId: "E-7" }),
    ])
      expect(again).toMatchObject({ status: 409, body: { status: "409", scimType: "uniqueness" } })
    expect(await rowsOf(users)).toHaveLength(1)
  })

  it("answers 400 for an invalid body, with the reason", async () => {
    const idp = await provider()
    const refused = async (body: object) => {
      const { status, body: error } = await idp.post("/Users", body)
      return [status, error.scimType, error.detail]
    }
    expect(await refused({ userName: "ada@example.com" })).toEqual([
      400,
      "invalidSyntax",
      `schemas must contain ${USER}.`,
    ])
    expect(await refused({ schemas: [USER] })).toEqual([400, "invalidValue", "userName is required."])
    expect(await refused({ schemas: [USER], userName: "ada" })).toEqual([
      400,
      "invalidValue",
      "userName must be an email address: it is what people sign in with.",
    ])
    expect((await refused({ schemas: [USER], userName: "a@example.com", active: "perhaps" }))[1]).toBe("invalidValue")
    expect((await idp.post("/Users", [] as unknown as object)).body.scimType).toBe("invalidSyntax")
    const longName = { schemas: [USER], userName: "a@example.com", displayName: `${"a".repeat(101)} B` }
    expect(await refused(longName)).toEqual([400, "invalidValue", expect.stringMatching(/^name\.givenName .*100/)])
  })
})

describe("PUT /scim/v2/Users/{id}", () => {
  it("replaces a user, and writes nothing if it is what was read", async () => {
    const idp = await provider()
    const { body: made } = await idp.createUser("ada@example.com", { externalId: "E-7", name: NAME, displayName: "A" })
    const logs = (await rowsOf(auditLogs)).length
    const same = await idp.put(`/Users/${made.id}`, made)
    expect(same).toMatchObject({ status: 200, body: made })
    expect(await rowsOf(auditLogs)).toHaveLength(logs)

    const changed = await idp.put(`/Users/${made.id}`, {
      schemas: [USER],
      userName: "ada.king@example.com",
      name: { givenName: "Ada", familyName: "King" },
    })
    expect(changed.body).toMatchObject({ userName: "ada.king@example.com", displayName: "Ada King", active: true })
    expect(changed.body.externalId).toBeUndefined()
    expect(cost(changed).roundTrips).toBe(2)
    expect((await idp.get(`/Users/${made.id}`)).body).toEqual(changed.body)
  })

  it("honors If-Match", async () => {
    const idp = await provider()
    const { body: made } = await idp.createUser("ada@example.com", { name: NAME })
    const first = await idp.put(`/Users/${made.id}`, { ...made, displayName: "A" }, { "if-match": made.meta.version })
    expect(first.status).toBe(200)
    const stale = await idp.put(`/Users/${made.id}`, { ...made, displayName: "B" }, { "if-match": made.meta.version })
    expect(stale).toMatchObject({ status: 412, body: { status: "412" } })
    const known = await idp.get(`/Users/${made.id}`, undefined, { "if-none-match": first.body.meta.version })
    expect(known.status).toBe(304)
  })
})

describe("PATCH /scim/v2/Users/{id}", () => {
  it("changes values with and without a path, and ignores attributes that are not stored", async () => {
    const idp = await provider()
    const { body: made } = await idp.createUser("ada@example.com", { name: NAME, externalId: "E-7" })
    const path = `/Users/${made.id}`
    const byPath = await idp.patch(path, [
      { op: "Replace", path: "name.familyName", value: "King" },
      { op: "add", path: `${USER}:displayName`, value: "Countess" },
      { op: "replace", path: 'emails[type eq "work"].value', value: "x@example.com" },
      { op: "add", path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department", value: "Sales" },
      { op: "remove", path: "externalId" },
    ])
    expect(byPath).toMatchObject({
      status: 200,
      body: { name: { familyName: "King", givenName: "Ada" }, displayName: "Countess", userName: "ada@example.com" },
    })
    expect(byPath.body.externalId).toBeUndefined()
    expect(cost(byPath).roundTrips).toBe(2)
    const pathless = await idp.patch(path, [
      { op: "replace", value: { userName: "ada.king@example.com", "name.givenName": "Augusta", active: "False" } },
    ])
    expect(pathless.body).toMatchObject({ userName: "ada.king@example.com", active: false })
    expect(pathless.body.name.givenName).toBe("Augusta")
  })

  it("answers 400 with the type of the fault", async () => {
    const idp = await provider()
    const { body: made } = await idp.createUser("ada@example.com")
    const typeOf = async (...operations: object[]) =>
      (await idp.patch(`/Users/${made.id}`, operations)).body.scimType as string
    expect(await typeOf()).toBe("invalidSyntax")
    expect(await typeOf({ op: "move", path: "active", value: true })).toBe("invalidSyntax")
    expect(await typeOf({ op: "remove" })).toBe("noTarget")
    expect(await typeOf({ op: "replace", path: "active" })).toBe("invalidValue")
    expect(await typeOf({ op: "replace", path: "shoeSize", value: 7 })).toBe("invalidPath")
    expect(await typeOf({ op: "replace", path: "emails[", value: "x" })).toBe("invalidPath")
    expect(await typeOf({ op: "replace", path: "id", value: "9" })).toBe("mutability")
    expect(await typeOf({ op: "remove", path: "userName" })).toBe("mutability")
    expect(await typeOf({ op: "replace", value: "x" })).toBe("invalidValue")
    expect((await idp.get(`/Users/${made.id}`)).body).toEqual(made)
  })

  it("with active: false ends the person's sessions and API keys in the same batch", async () => {
    const idp = await provider()
    const person = await signedIn("general", { email: "ada@example.com" })
    const own = await apiKey({ role: "general", createdBy: person.id })
    const other = await apiKey({ role: "staff" })
    expect((await get("/api/me", own)).status).toBe(200)
    const answer = await idp.patch(`/Users/${person.id}`, [{ op: "replace", path: "active", value: false }])
    expect(answer).toMatchObject({ status: 200, body: { active: false } })
    expect(cost(answer).roundTrips).toBe(2)
    expect((await get(`/api/user/${person.id}`, person)).status).toBe(401)
    expect((await get("/api/me", own)).status).toBe(401)
    expect((await get("/api/me", other)).status).toBe(200)
    expect((await rowsOf(apiKeys)).map(({ id }) => id)).toEqual([idp.id, other.id])
    expect((await rowsOf(auditLogs)).map(({ action, subject }) => `${action} ${subject}`)).toEqual(
      expect.arrayContaining(["updated user", "deleted api key"]),
    )
    const again = await idp.patch(`/Users/${person.id}`, [{ op: "replace", value: { active: true } }])
    expect(again.body.active).toBe(true)
  })

  it("with active: false ends the API keys of a person who was disabled already", async () => {
    const idp = await provider()
    const person = await user({ disabled: true })
    const own = await apiKey({ role: "general", createdBy: person.id })
    expect((await get("/api/me", own)).status).toBe(200)
    const answer = await idp.patch(`/Users/${person.id}`, [{ op: "replace", path: "active", value: false }])
    expect(answer).toMatchObject({ status: 200, body: { active: false } })
    expect((await get("/api/me", own)).status).toBe(401)
    expect((await rowsOf(apiKeys)).map(({ id }) => id)).toEqual([idp.id])
  })

  it("cannot change people of the key's role or above", async () => {
    const idp = await provider({ role: "staff" })
    const colleague = await user({ userType: "staff" })
    const owner = await user({ userType: "owner" })
    for (const { id } of [colleague, owner])
      for (const operation of [
        { op: "replace", path: "active", value: false },
        { op: "replace", path: "userName", value: "x@example.com" },
        { op: "replace", path: "displayName", value: "X" },
      ])
        expect((await idp.patch(`/Users/${id}`, [operation])).status).toBe(403)
    expect((await idp.delete(`/Users/${colleague.id}`)).status).toBe(403)
    expect((await rowsOf(users)).every(({ disabled }) => !disabled)).toBe(true)
  })
})

describe("DELETE /scim/v2/Users/{id}", () => {
  it("disables the person, ends sessions and keys, and hides the user; what they learned stays", async () => {
    const idp = await provider()
    const { body: made } = await idp.createUser("ada@example.com", { name: NAME, externalId: "E-7" })
    const [row] = await rowsOf(users)
    if (!row) throw new Error("No user")
    await enrollment(row, await course())
    const token = await tokenOf(row)
    const own = await apiKey({ role: "general", createdBy: row.id })
    const gone = await idp.delete(`/Users/${made.id}`)
    expect(gone).toMatchObject({ status: 204, body: "" })
    expect(cost(gone).roundTrips).toBe(2)
    expect((await get("/api/me", { token })).status).toBe(401)
    expect((await get("/api/me", own)).status).toBe(401)
    for (const answer of [
      await idp.get(`/Users/${made.id}`),
      await idp.patch(`/Users/${made.id}`, [{ op: "replace", path: "active", value: true }]),
      await idp.put(`/Users/${made.id}`, made),
      await idp.delete(`/Users/${made.id}`),
    ])
      expect(answer).toMatchObject({ status: 404, body: { status: "404" } })
    expect((await idp.get("/Users")).body).toMatchObject({ totalResults: 0, Resources: [] })
    const admin = await signedIn("admin")
    expect((await get(`/api/user/${made.id}`, admin)).body).toMatchObject({ disabled: true, externalId: null })
  })

  it("is undone by a POST with the same address, or in the console", async () => {
    const idp = await provider()
    const { body: made } = await idp.createUser("ada@example.com", { name: NAME, externalId: "E-7" })
    await idp.delete(`/Users/${made.id}`)
    const again = await idp.createUser("ada@example.com", { name: NAME, externalId: "E-8" })
    expect(again).toMatchObject({ status: 201, body: { id: made.id, externalId: "E-8", active: true } })
    expect((await idp.createUser("ada@example.com")).status).toBe(409)
    await idp.delete(`/Users/${made.id}`)
    expect((await put(`/api/user/${made.id}`, { disabled: false }, await signedIn("admin"))).status).toBe(200)
    expect((await idp.get(`/Users/${made.id}`)).body).toMatchObject({ id: made.id, active: true })
    expect((await rowsOf(counters)).filter(({ key }) => key === "users:deprovisioned")).toMatchObject([{ value: 0 }])
  })

  it("is undone by a POST with active: false: the user is disabled but not hidden", async () => {
    const idp = await provider()
    const { body: made } = await idp.createUser("ada@example.com", { name: NAME })
    await idp.delete(`/Users/${made.id}`)
    const again = await idp.createUser("ada@example.com", { name: NAME, externalId: "E-8", active: false })
    expect(again).toMatchObject({ status: 201, body: { id: made.id, externalId: "E-8", active: false } })
    expect((await idp.get(`/Users/${made.id}`)).body).toMatchObject({ active: false })
  })

  it.each(["updateUser", "quickEdit"])(
    "is undone for good by %s: disabling the user later hides nothing",
    async (by) => {
      const idp = await provider()
      const admin = await signedIn("admin")
      const set = (id: string, disabled: boolean) =>
        by === "updateUser"
          ? put(`/api/user/${id}`, { disabled }, admin)
          : post("/api/user/quickEdit", { user_ids: [Number(id)], disabled }, admin)
      const { body: made } = await idp.createUser("ada@example.com", { name: NAME })
      await idp.delete(`/Users/${made.id}`)
      expect((await set(made.id, false)).status).toBe(200)
      const off = await idp.patch(`/Users/${made.id}`, [{ op: "replace", path: "active", value: false }])
      expect(off).toMatchObject({ status: 200, body: { active: false } })
      expect((await set(made.id, false)).status).toBe(200)
      expect((await set(made.id, true)).status).toBe(200)
      expect((await idp.get(`/Users/${made.id}`)).body).toMatchObject({ id: made.id, active: false })
    },
  )
})

describe("an API key with the scope scim", () => {
  it("calls SCIM and nothing else; others cannot call SCIM", async () => {
    const idp = await provider()
    const bearer = { token: idp.token }
    expect((await get("/api/users/tabularlist?page_size=1&page_number=1", bearer)).body.code).toBe(
      "key_scope_insufficient",
    )
    expect((await post("/api/group/create", { name: "x" }, bearer)).status).toBe(403)
    const list = (key: Awaited<ReturnType<typeof provider>>) => key.get("/Users")
    expect((await list(await provider({ scopes: [] }))).status).toBe(403)
    expect((await list(await provider({ scopes: ["credentials"], role: "owner" }))).status).toBe(403)
    expect((await list(await provider({ role: "group_admin" }))).status).toBe(403)
    const reader = await provider({ access: "read" })
    expect((await list(reader)).status).toBe(200)
    expect((await reader.createUser("ada@example.com")).status).toBe(403)
    const { token } = await signedIn("owner")
    expect((await get("/scim/v2/Users", { token })).status).toBe(403)
    const nobody = await get("/scim/v2/Users")
    expect(nobody).toMatchObject({ status: 401, body: { status: "401" } })
    expect(nobody.headers.get("www-authenticate")).toBe("Bearer")
    expect((await get("/scim/v2/Users", { token: "lk_9_x" })).status).toBe(401)
  })

  it("has no other scope", async () => {
    const { token } = await signedIn("admin")
    const key = (scopes: string[]) =>
      post("/api/api-key/create", { name: "IdP", role: "staff", access: "write", scopes }, { token })
    expect((await key(["scim"])).status).toBe(200)
    expect((await key(["scim", "credentials"])).body.errors).toEqual({
      scopes: ["scopes scim must be the only scope."],
    })
  })
})

describe("SCIM paths", () => {
  it("answer unknown resources, methods and media types in SCIM's shape", async () => {
    const idp = await provider()
    for (const path of ["/Users/99", "/Users/nobody", "/Users/00000000-0000-4000-8000-000000000000", "/Bulk", "/Me"])
      expect((await idp.get(path)).body, path).toMatchObject({ status: "404" })
    expect((await idp.delete("/Users")).body).toMatchObject({ status: "405" })
    const text = await idp.post("/Users", { schemas: [USER] }, { "content-type": "text/plain" })
    expect(text.body).toMatchObject({ status: "415" })
  })

  it("accept JSON in UTF-8 only, under both media types", async () => {
    const idp = await provider()
    const body = { schemas: [USER], userName: "zoë@example.com" }
    for (const type of ["application/json", "application/scim+json"]) {
      const latin = await idp.post("/Users", body, { "content-type": `${type}; charset=iso-8859-1` })
      expect(latin.body).toMatchObject({ status: "415" })
      const bytes = await call("POST", "/scim/v2/Users", {
        token: idp.token,
        body: Uint8Array.from(Buffer.from(JSON.stringify(body), "latin1")),
        headers: { "content-type": type },
      })
      expect(bytes.body).toMatchObject({ status: "400", scimType: "invalidSyntax" })
      const broken = await call("POST", "/scim/v2/Users", {
        token: idp.token,
        body: "{",
        headers: { "content-type": type },
      })
      expect(broken.body).toMatchObject({ status: "400", scimType: "invalidSyntax" })
    }
  })
})
