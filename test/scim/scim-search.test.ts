import { describe, expect, it } from "vitest"
import { user } from "../factories/index.ts"
import { CUSTOM, provider, USER } from "../factories/scim.ts"
import { cost, put } from "../helpers/client.ts"

type Provider = Awaited<ReturnType<typeof provider>>
const find = (idp: Provider, filter: string) => idp.get(`/Users?filter=${encodeURIComponent(filter)}`)

/** Ada and Grace, created by the provider, and Bob, who is disabled. */
async function people() {
  await put("/api/users/customUserFields", { fields: [{ type: "text", label: "Desk", userMetaKey: "desk" }] })
  const idp = await provider()
  await idp.createUser("ada@example.com", {
    externalId: "E-1",
    name: { givenName: "Ada", familyName: "Byron" },
    [CUSTOM]: { desk: "4b" },
  })
  await idp.createUser("grace@navy.example", {
    name: { givenName: "Grace", familyName: "Hopper" },
    displayName: "Amazing",
  })
  await idp.createUser("bob@example.com", { name: { givenName: "Bob", familyName: "Stone" }, active: false })
  return idp
}

describe("the list of GET /scim/v2/Users", () => {
  it("has the same path with a slash at its end", async () => {
    const idp = await people()
    const filter = `filter=${encodeURIComponent('displayName eq "Amazing"')}`
    const found = await idp.get(`/Users/?${filter}`)
    expect(found).toMatchObject({ status: 200, body: { totalResults: 1 } })
    expect(found.body).toEqual((await idp.get(`/Users?${filter}`)).body)
    expect((await idp.get("/Users/1/")).status).toBe(404)
  })
})

describe("the filter of GET /scim/v2/Users", () => {
  it.each([
    ['userName eq "ADA@example.com"', ["Ada"]],
    ['userName ne "ada@example.com"', ["Grace", "Bob"]],
    ['userName co "EXAMPLE.COM"', ["Ada", "Bob"]],
    ['userName sw "gr"', ["Grace"]],
    ['userName ew ".example"', ["Grace"]],
    ['emails.value eq "ada@example.com"', ["Ada"]],
    ['emails[type eq "work" and value co "navy"]', ["Grace"]],
    ['emails eq "bob@example.com"', ["Bob"]],
    ['externalId eq "E-1"', ["Ada"]],
    ['externalId eq "e-1"', []],
    ["externalId pr", ["Ada"]],
    ["not (externalId pr)", ["Grace", "Bob"]],
    ["externalId eq null", ["Grace", "Bob"]],
    ["active eq true", ["Ada", "Grace"]],
    ['active eq "False"', ["Bob"]],
    ['displayName eq "amazing"', ["Grace"]],
    ['name.formatted eq "Bob Stone"', ["Bob"]],
    ['name.familyName gt "D"', ["Grace", "Bob"]],
    ['name[givenName eq "ada"]', ["Ada"]],
    ['meta.created gt "2015-10-10T14:38:21.8617979-07:00"', ["Ada", "Grace", "Bob"]],
    ['meta.lastModified lt "2015-10-10T14:38:21Z"', []],
    ['meta.resourceType eq "User"', ["Ada", "Grace", "Bob"]],
    [`${USER}:userName eq "ada@example.com"`, ["Ada"]],
    [`${CUSTOM}:desk eq "4B"`, ["Ada"]],
    ['(userName sw "a" or userName sw "g") and active eq true', ["Ada", "Grace"]],
    ['userName sw "a" or userName sw "g" and active eq false', ["Ada"]],
    ['not (active eq true and userName sw "a")', ["Grace", "Bob"]],
    ['ACTIVE EQ true AND NOT (USERNAME SW "a")', ["Grace"]],
    ['id eq "nobody"', []],
    ['userName eq "x\\" or 1=1"', []],
  ])("%s", async (filter, names) => {
    const idp = await people()
    const found = await find(idp, filter)
    expect(found.status, JSON.stringify(found.body)).toBe(200)
    expect(found.body.Resources.map((one: { name: { givenName: string } }) => one.name.givenName)).toEqual(names)
    expect(found.body.totalResults).toBe(names.length)
    expect(cost(found).roundTrips).toBe(1)
  })

  it("answers 400 invalidFilter for a filter that it cannot read or apply", async () => {
    const idp = await provider()
    for (const filter of [
      "userName",
      "userName eq",
      "userName eq ada",
      'userName like "a"',
      'shoeSize eq "7"',
      "active co true",
      'active eq "perhaps"',
      'meta.created gt "yesterday"',
      '(userName eq "a"',
      `${"not (".repeat(30)}active eq true${")".repeat(30)}`,
      `${"(".repeat(1500)}active eq true`,
      Array.from({ length: 16 }, () => "active eq true").join(" or "),
    ])
      expect(await find(idp, filter), filter).toMatchObject({
        status: 400,
        body: { status: "400", scimType: "invalidFilter" },
      })
  })

  it("reads one user by address or external id, however many there are", async () => {
    const idp = await provider()
    await idp.createUser("ada@example.com", { externalId: "E-1" })
    for (let n = 0; n < 60; n++) await user()
    for (const filter of [
      'userName eq "ada@example.com"',
      'externalId eq "E-1"',
      'active eq true and externalId eq "E-1"',
    ]) {
      const found = await find(idp, filter)
      expect(found.body.totalResults).toBe(1)
      expect(cost(found).read, filter).toBeLessThan(25)
    }
  })
})

describe("pages and attributes of GET /scim/v2/Users", () => {
  it("start at any index, also beyond the end, and count 0 counts only", async () => {
    const idp = await people()
    const page = async (query: string) => {
      const { body } = await idp.get(`/Users?${query}`)
      return [
        body.totalResults,
        body.startIndex,
        body.itemsPerPage,
        body.Resources.map((one: { id: string }) => one.id),
      ]
    }
    expect(await page("")).toEqual([3, 1, 3, ["1", "2", "3"]])
    expect(await page("startIndex=2&count=1")).toEqual([3, 2, 1, ["2"]])
    expect(await page("startIndex=0&count=2")).toEqual([3, 1, 2, ["1", "2"]])
    expect(await page("startIndex=9")).toEqual([3, 9, 0, []])
    expect(await page("count=0")).toEqual([3, 1, 0, []])
    expect(await page("count=-4")).toEqual([3, 1, 0, []])
    expect(await page("sortBy=name.givenName&sortOrder=descending&count=2")).toEqual([3, 1, 2, ["2", "3"]])
    expect((await idp.get("/Users?count=many")).body.scimType).toBe("invalidValue")
    expect((await idp.get("/Users?sortBy=shoeSize")).body.scimType).toBe("invalidPath")
  })

  it("are limited by attributes and excludedAttributes; id and schemas are always returned", async () => {
    const idp = await people()
    const keys = async (query: string) => Object.keys((await idp.get(`/Users/1?${query}`)).body).sort()
    expect(await keys("attributes=userName,NAME.givenname")).toEqual(["id", "name", "schemas", "userName"])
    expect((await idp.get("/Users/1?attributes=name.givenName")).body.name).toEqual({ givenName: "Ada" })
    expect(await keys(`attributes=${CUSTOM}:desk`)).toEqual(["id", "schemas", CUSTOM].sort())
    expect(await keys('attributes=emails%5Btype+eq+"work"%5D')).toEqual(["emails", "id", "schemas"])
    expect(await keys("excludedAttributes=emails,id,meta,name")).not.toEqual(expect.arrayContaining(["emails"]))
    expect((await idp.get("/Users/1?excludedAttributes=name.formatted")).body.name).toEqual({
      givenName: "Ada",
      familyName: "Byron",
    })
    const list = await idp.get("/Users?attributes=userName")
    expect(list.body.Resources[0]).toEqual({ schemas: [USER, CUSTOM], id: "1", userName: "ada@example.com" })
  })
})

describe("SCIM discovery", () => {
  it("describes the service, its resource types and its schemas", async () => {
    const idp = await provider()
    const config = await idp.get("/ServiceProviderConfig")
    expect(config.body).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true, maxResults: 200 },
      sort: { supported: true },
      etag: { supported: true },
    })
    expect(cost(config).roundTrips).toBe(0)
    const types = await idp.get("/ResourceTypes")
    expect(types.body.Resources.map((one: { id: string }) => one.id)).toEqual(["User", "Group"])
    expect((await idp.get("/ResourceTypes/Group")).body).toEqual(types.body.Resources[1])
    const schemas = await idp.get("/Schemas")
    expect(schemas.body.totalResults).toBe(4)
    for (const schema of schemas.body.Resources) expect((await idp.get(`/Schemas/${schema.id}`)).body).toEqual(schema)
    for (const path of ["/ResourceTypes/Agent", "/Schemas/urn:x"])
      expect((await idp.get(path)).body).toMatchObject({ status: "404" })
  })
})
