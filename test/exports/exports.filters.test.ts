import { sql } from "drizzle-orm"
import { readXlsx } from "hucre/xlsx"
import { describe, expect, it } from "vitest"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { EXPORT_KINDS } from "../../src/worker/export-kinds.ts"
import { deliver } from "../factories/exports.ts"
import { type HalvedAcademy, halvedAcademy, NOTHING, NOWHERE } from "../factories/filters.ts"
import { db, group, portal, signedIn } from "../factories/index.ts"
import { download, get, post, query } from "../helpers/client.ts"
import { type Document, openApiDocument } from "../matrix/inputs.ts"
import { sampled } from "../matrix/matrix.ts"

type Row = Record<string, unknown>

/** The list that an export has the rows of, and what tells one row of either from the others. */
const LISTS: Record<string, { list: string; inList: string[]; inSheet: string[] } | undefined> = {
  users: { list: "/api/users/tabularlist", inList: ["id"], inSheet: ["id"] },
  "user report": {
    list: "/api/user/reports/user-detailed",
    inList: ["email", "courseName"],
    inSheet: ["email", "course"],
  },
  "learner-quizzes": {
    list: "/api/user/reports/student-quizzes",
    inList: ["email", "courseName", "quizName", "attempt"],
    inSheet: ["email", "course", "quiz", "attempt"],
  },
  gradebook: { list: "/api/user/reports/user-detailed", inList: ["email", "courseName"], inSheet: ["email", "course"] },
  "due list": { list: "/api/due/tabularlist", inList: ["email", "courseName"], inSheet: ["email", "courseName"] },
  "due team": { list: "/api/due/team", inList: ["email"], inSheet: ["email"] },
  "compliance matrix": { list: "/api/reports/compliance-matrix", inList: ["email"], inSheet: ["email"] },
  // A person's files and records, of every table: no list.
  "personal data": undefined,
}

/** Values of each filter: one that finds some of the rows, and one that finds none. */
const valuesOf = ({ ada, ...of }: HalvedAcademy): Record<string, unknown[]> => {
  const portals = [[of.here.id], [of.away.id], [of.here.id, of.away.id]]
  return {
    "search_param.nameOrEmail": ["byron", NOTHING],
    "search_param.membershipId": [of.membershipId, of.unused],
    "search_param.userCategoryId": [[of.people.id], [of.nobody.id]],
    "search_param.userType": ["learner", "admin"],
    "search_param.courseCategoryIds": [[of.mine.id], [of.empty.id]],
    "search_param.courseName": ["algeb", NOTHING],
    "search_param.course": ["botan", NOTHING],
    "search_param.courseId": [of.algebra.id, NOWHERE],
    "search_param.status": [["Completed"], ["Not Started"], ["Not Started", "In Progress"]],
    "search_param.updatedSince": ["2026-01-05T00:00:00Z", "2199-01-05T00:00:00Z"],
    "search_param.portalId": [of.here.id, of.away.id],
    "search_param.searchPortalIds": portals,
    searchPortalIds: portals,
    portalId: [of.here.id, of.away.id],
    group_id: [of.team.id, of.alone.id],
    "search_param.email": ["ADA@example.com", "nobody@example.com"],
    customFields: [{ number: "7" }, { number: "8" }],
    externalId: ["E-7", "E-8"],
    externalIdSource: ["manual", "workday"],
    user_id: [ada.id, of.staff.id, NOWHERE],
    "search_param.audience": [{ role: ["general"] }, { group: [of.alone.id] }],
    "search_param.dueStatus": [["overdue"], ["completed_late", "exempt"]],
    "search_param.ruleId": [NOWHERE],
    "search_param.due_between": [
      ["2026-01-01", "2026-01-31"],
      ["2199-01-05", "2199-01-06"],
    ],
    supervisor_id: [NOWHERE],
    "search_param.courseIds": [[of.algebra.id], [NOWHERE]],
    "search_param.disabled": [true, false],
    asOf: ["2026-01-31", "2199-01-05"],
  }
}

const PAGING = ["page_size", "page_number", "cursor", "order_by", "fields", "search_param", "format"]

/** The names of a list's filters, or of an export's, as the OpenAPI document declares them. */
function declared({ paths, components }: Document, path: string, method: "get" | "post"): string[] {
  const { parameters = [], requestBody } = paths[path]?.[method] ?? {}
  const schema = requestBody?.content["application/json"]?.schema
  const body = schema?.$ref ? components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema
  const members = body
    ? Object.entries(body.properties ?? {})
    : parameters.map(({ name, schema }) => [name, schema] as const)
  const search = members.find(([name]) => name === "search_param")?.[1]
  return [
    ...members.flatMap(([name]) => (PAGING.includes(name) ? [] : [name])),
    ...Object.keys(search?.properties ?? {}).map((name) => `search_param.${name}`),
  ].sort()
}

/** A filter by its name. */
const filterOf = (name: string, value: unknown) =>
  name.startsWith("search_param.")
    ? { search_param: { [name.slice("search_param.".length)]: value } }
    : { [name]: value }

const together = (one: Row, other: Row): Row => ({
  ...one,
  ...other,
  search_param: { ...(one.search_param as Row | undefined), ...(other.search_param as Row | undefined) },
})

const exportKinds = await Promise.all(Object.values(EXPORT_KINDS).map((load) => load()))
const described = exportKinds.flatMap((kind) => {
  const of = LISTS[kind.name]
  return of ? [{ ...of, kind: kind.name, path: kind.path, download: kind.download }] : []
})

describe("every kind of export", () => {
  it("accepts every filter of its list, and no others", async () => {
    expect(exportKinds.map(({ name }) => name).sort()).toEqual(Object.keys(LISTS).sort())
    const document = await openApiDocument()
    for (const { kind, list, path } of described)
      expect(declared(document, path, "post"), kind).toEqual(declared(document, list, "get"))
  })
})

describe.each(described)("the $kind export", ({ list, path, inList, inSheet, ...kind }) => {
  const keyOf = (row: Row, columns: string[]) => columns.map((column) => row[column]).join(" | ")

  /** What the list answers to a filter: its rows' keys, or the status of its refusal. */
  async function namesInList(filter: Row, token: string): Promise<string[] | number> {
    const { status, body } = await get(`${list}${query({ page_size: 500, page_number: 1, ...filter })}`, { token })
    if (status !== 200) return status
    expect(body.recordsFiltered).toBe(body.records.length)
    return body.records.map((row: Row) => keyOf(row, inList)).sort()
  }

  /** What the export holds under a filter, read back from its file; or the status of its refusal. */
  async function exported(filter: Row, token: string): Promise<string[] | number> {
    const { status, body } = await post(path, filter, { token })
    if (status !== 200) return status
    await deliver(body.export_id)
    const file = await download(kind.download.replace("{exportId}", body.export_id), { token })
    expect(file.status).toBe(200)
    const [headers = [], ...rows] = (await readXlsx(file.body)).sheets[0]?.rows ?? []
    const records = rows.map((row): Row => Object.fromEntries(headers.map((name, index) => [String(name), row[index]])))
    return records
      .filter(({ name }) => name !== "Points possible")
      .map((row) => keyOf(row, inSheet))
      .sort()
  }

  for (const [offset, role] of ["owner", "group_admin", "portal_admin"].entries())
    it(`has exactly the rows of its list under each filter, each pair and all together, for the role ${role}`, {
      timeout: 180_000,
    }, async () => {
      const scene = await halvedAcademy()
      const [early, late] = [Date.UTC(2026, 0, 5), Date.UTC(2027, 0, 5)]
      const dueAt = sql`iif(${enrollments.id} % 2, ${early}, ${late})`
      await db.update(enrollments).set({
        ...{ dueAt, dueSoonAt: dueAt, overdueAt: dueAt },
        dueStatus: sql`iif(${enrollments.id} % 2, 'overdue', 'on_track')`,
      })
      const { token, id } = await signedIn(role, { firstName: "Rob", lastName: "Role" })
      if (role === "group_admin") await group({ admins: [id], members: [scene.ada.id, scene.bob.id] })
      if (role === "portal_admin") await portal({ admins: [id], members: [scene.ada.id, scene.bob.id] })
      const values = valuesOf(scene)
      const names = declared(await openApiDocument(), path, "post")
      const filters = names.map((name) => {
        const examples = values[name]
        if (!examples) throw new Error(`The test has no value for the filter ${name}.`)
        return examples.map((value) => filterOf(name, value))
      })
      const all = await namesInList({}, token)
      expect(all).not.toHaveLength(0)
      expect(await exported({}, token)).toEqual(all)
      const pairs = filters.flatMap(([one], at) =>
        filters.slice(at + 1).map(([other]) => together(one ?? {}, other ?? {})),
      )
      const every = filters.reduce<Row>((filter, [one]) => together(filter, one ?? {}), {})
      for (const filter of [...sampled(filters.flat(), 7, offset), ...sampled(pairs, 101, offset), every])
        expect(await exported(filter, token), JSON.stringify(filter)).toEqual(await namesInList(filter, token))
      // Each filter leaves out something, for those who see everything. A source alone is no filter.
      if (role === "owner")
        for (const [index, cases] of filters.entries()) {
          if (names[index] === "externalIdSource") continue
          const found = await Promise.all(cases.map((filter) => namesInList(filter, token)))
          expect(
            found.some((rows) => JSON.stringify(rows) !== JSON.stringify(all)),
            names[index],
          ).toBe(true)
        }
    })
})
