import { sql } from "drizzle-orm"
import { describe, expect, it, vi } from "vitest"
import { auditLogs } from "../../drizzle/schema/audit.ts"
import { CATEGORY_TYPES, categories, userCategories } from "../../drizzle/schema/categories.ts"
import { courseCategories } from "../../drizzle/schema/courses.ts"
import { moduleCategories } from "../../drizzle/schema/modules.ts"
import { categoryColumns } from "../../src/modules/courses/category-columns.ts"
import { category } from "../factories/categories.ts"
import { db, rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { cost, get, post, put, query } from "../helpers/client.ts"

const create = (name: unknown, type: unknown = "course", options = {}) =>
  post("/api/category/create", { category_name: name, categoryType: type }, options)
const list = (type = "course", parameters = {}, options = {}) =>
  get(`/api/${type}category/tabularlist${query({ page_size: 10, page_number: 1, ...parameters })}`, options)
const lookUp = (type: string, options = {}) => get(`/api/categories/${type}/lookup`, options)
const remove = (ids: unknown, options = {}) => post("/api/category/delete", { delete_ids: ids }, options)
const names = (records: { name: string }[]) => records.map((row) => row.name)
const counts = async (type = "course") =>
  Object.fromEntries(
    (await list(type)).body.records.map((row: { name: string; count: number }) => [row.name, row.count]),
  )

/** Inserts many categories with one statement. */
const fill = (count: number, type: string, after = 100_000) =>
  db.run(sql`insert into categories (id, name, name_key, type, created_at, updated_at, search_text)
    with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})
    select ${after} + i, 'Filler ' || i, 'filler ' || i, ${type}, i, i, 'filler ' || i || char(1) from n`)

describe("categories", () => {
  it("can be created in one round trip and read in one, with their author and editor", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5, 15, 4) })
    const { token, id } = await signedIn("staff")
    const created = await create("  Data   science ", "course", { token })
    expect(created.body).toEqual({ id: 1, message: "Category created." })
    expect(cost(created).roundTrips).toBe(1)
    vi.setSystemTime(Date.UTC(2026, 0, 5, 16, 0))
    const other = await signedIn("admin")
    const renamed = await put("/api/category/1", { category_name: "Data" }, { token: other.token })
    expect(renamed.body).toEqual({ message: "Category updated." })
    const read = await get("/api/category/1", { token })
    expect(read.body).toEqual({
      id: 1,
      name: "Data",
      type: "course",
      created_by: id,
      updated_by: other.id,
      deleted_by: null,
      created_at: "Jan 05, 2026 03:04 PM",
      updated_at: "Jan 05, 2026 04:00 PM",
      deleted_at: null,
      createdAt: "2026-01-05T15:04:00.000Z",
      updatedAt: "2026-01-05T16:00:00.000Z",
      deletedAt: null,
    })
    expect(cost(read).roundTrips).toBe(1)
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.subject, row.effectOn, row.performedBy])).toEqual([
      ["created", "category", "Data   science", id],
      ["updated", "category", "Data", other.id],
    ])
  })

  it("rejects a name in use in the same type, ignoring case, and writes nothing", async () => {
    await create("Übung")
    const duplicate = await create("üBUNG")
    expect(duplicate.status).toBe(422)
    expect(duplicate.body.errors).toEqual({
      category_name: ["category_name is already used by another category of this type."],
    })
    expect(await rowsOf(categories)).toHaveLength(1)
    expect(await rowsOf(auditLogs)).toHaveLength(1)
    expect((await create("übung", "module")).status).toBe(200)
    const other = await create("Other")
    expect((await put(`/api/category/${other.body.id}`, { category_name: "ÜBUNG" })).status).toBe(422)
    expect((await put("/api/category/1", { category_name: "ÜBUNG" })).status).toBe(200)
    await remove([1])
    expect((await create("Übung")).status).toBe(200)
  })

  it("requires a name of 1 to 100 characters and one of five types", async () => {
    for (const name of [undefined, "", " ", "x".repeat(101), 5, null]) {
      const { status, body } = await create(name)
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ["category_name"]])
    }
    for (const type of [undefined, "", "order", 1])
      expect(
        (await post("/api/category/create", { category_name: "A", categoryType: type })).body.errors,
      ).toHaveProperty("categoryType")
    for (const type of CATEGORY_TYPES) expect((await create("x".repeat(100), type)).status).toBe(200)
    expect((await put("/api/category/1", {})).body.errors).toHaveProperty("category_name")
  })

  it("returns all categories of a type by name in one round trip", async () => {
    for (const type of CATEGORY_TYPES) for (const name of ["b", "A", "é", "C"]) await create(name, type)
    for (const type of CATEGORY_TYPES) {
      const response = await lookUp(type)
      expect(names(response.body)).toEqual(["A", "b", "C", "é"])
      expect(cost(response).roundTrips).toBe(1)
    }
    await fill(600, "user")
    expect((await lookUp("user")).body).toHaveLength(604)
  })

  it("can be sorted by every column, with author, count and exact totals", async () => {
    const { token } = await signedIn("staff", { firstName: "Ada", lastName: "Byron" })
    for (const name of ["Beta", "alpha", "Gamma"]) await create(name, "course", { token })
    await create("alpha", "module", { token })
    expect((await list()).body).toMatchObject({
      recordsTotal: 3,
      recordsFiltered: 3,
      records: [{ id: 2, name: "alpha", author: "Ada Byron", count: 0 }, { name: "Beta" }, { name: "Gamma" }],
    })
    for (const colName of Object.keys(categoryColumns.sort))
      for (const direction of ["asc", "desc"]) {
        const response = await list("course", { order_by: { colName, direction } })
        expect(response.body.records).toHaveLength(3)
        expect(cost(response).roundTrips).toBe(1)
      }
    const found = await list("course", { search_param: { categoryName: "A" } })
    expect(found.body).toMatchObject({ recordsTotal: 3, recordsFiltered: 3 })
    expect((await list("course", { search_param: { categoryName: "LPH" } })).body).toMatchObject({
      recordsTotal: 3,
      recordsFiltered: 1,
      records: [{ id: 2 }],
    })
    await put("/api/category/2", { category_name: "Delta" })
    expect((await list("course", { search_param: { categoryName: "lph" } })).body.recordsFiltered).toBe(0)
    expect((await get("/api/coursecategory/tabularlist")).body.errors).toHaveProperty("page_size")
  })

  it("reads a page at constant cost by name, and sorts the categories of the type otherwise", async () => {
    await fill(5000, "course")
    await fill(3000, "module", 200_000)
    for (const [colName, by] of Object.entries(categoryColumns.sort)) {
      const response = await list("course", { order_by: { colName, direction: "desc" } })
      expect(response.body.recordsTotal).toBe(5000)
      expect(cost(response).read, colName).toBeLessThan("sorted" in by ? 2 * 5000 + 100 : 100)
    }
  })

  it("counts their courses, modules, quiz questions and users", async () => {
    const ids: Record<string, number> = {}
    for (const type of CATEGORY_TYPES) ids[type] = (await create(type, type)).body.id
    await post("/api/course/create", { name: "One", categoryIds: [ids.course] })
    await post("/api/course/create", { name: "Two", categoryIds: [ids.course] })
    await put("/api/course/2", { categoryIds: [ids.course], name: "Second" })
    expect(await counts()).toEqual({ course: 2 })
    await put("/api/course/2", { categoryIds: [] })
    expect(await counts()).toEqual({ course: 1 })
    await post("/api/course/delete", { delete_ids: [1] })
    expect(await counts()).toEqual({ course: 0 })

    const module = await post("/api/modules/text", { name: "A", content: "", categoryIds: [ids.module] })
    expect((await get(`/api/modules/text/${module.body.id}`)).body.categoryIds).toEqual([ids.module])
    expect(await counts("module")).toEqual({ module: 1 })
    await put(`/api/modules/text/${module.body.id}`, { name: "B" })
    expect(await counts("module")).toEqual({ module: 1 })
    await put(`/api/modules/text/${module.body.id}`, { categoryIds: [] })
    expect(await counts("module")).toEqual({ module: 0 })

    const question = { text: "Two?", type: "short", answers: ["2"], categoryId: ids.question }
    const quiz = await post("/api/modules/quiz", { name: "Q", content: "", questions: [question, question] })
    expect((await get(`/api/modules/quiz/${quiz.body.id}`)).body.questions).toMatchObject([
      { categoryId: ids.question },
      { categoryId: ids.question },
    ])
    expect(await counts("question")).toEqual({ question: 2 })
    await put(`/api/modules/quiz/${quiz.body.id}`, { questions: [{ ...question, categoryId: "" }] })
    expect(await counts("question")).toEqual({ question: 0 })

    const account = { password: "pässwörd with ümlauts", password_confirmation: "pässwörd with ümlauts" }
    const person = await post("/api/user/create", {
      firstName: "Ada",
      email: "ada@example.com",
      ...account,
      userCategory: [ids.user],
    })
    expect(await counts("user")).toEqual({ user: 1 })
    await post("/api/user/delete", { delete_ids: [person.body.id] })
    expect(await counts("user")).toEqual({ user: 0 })
    expect(await counts("product")).toEqual({ product: 0 })
  })

  it("rejects categories of another type", async () => {
    const other = await category({ type: "product" })
    const { id } = await course()
    for (const [path, body, field] of [
      ["/api/course/create", { name: "A" }, "categoryIds"],
      ["/api/modules/text", { name: "A", content: "" }, "categoryIds"],
    ] as const) {
      const { status, body: answer } = await post(path, { ...body, categoryIds: [other.id] })
      expect([status, Object.keys(answer.errors ?? {})]).toEqual([422, [field]])
    }
    const question = { text: "Two?", type: "short", answers: ["2"], categoryId: other.id }
    const quiz = await post("/api/modules/quiz", { name: "Q", content: "", questions: [question] })
    expect(quiz.body.errors).toHaveProperty("questions")
    await db.insert(courseCategories).values({ courseId: id, categoryId: other.id })
    await db.insert(userCategories).values({ userId: (await user()).id, categoryId: other.id })
    expect(await rowsOf(courseCategories)).toEqual([])
    expect(await rowsOf(userCategories)).toEqual([])
    expect(await rowsOf(moduleCategories)).toEqual([])
  })

  it("removes records from deleted categories and counts unknown ids", async () => {
    const otherCategory = await category({ name: "Kept" })
    const deletedCategory = await category({ name: "Gone" })
    const { id } = await course()
    for (const { id: categoryId } of [otherCategory, deletedCategory])
      await db.insert(courseCategories).values({ courseId: id, categoryId })
    const { token, id: staffId } = await signedIn("staff")
    const response = await remove([deletedCategory.id, 99, deletedCategory.id], { token })
    expect(response.body).toEqual({ message: "1 category deleted. 1 id not found." })
    expect((await post("/api/category/delete", {})).body.errors).toEqual({ delete_ids: ["delete_ids is required."] })
    expect((await remove([])).body.message).toBe("0 categories deleted.")
    expect((await remove([deletedCategory.id])).body.message).toBe("0 categories deleted. 1 id not found.")
    expect((await rowsOf(categories)).find((row) => row.id === deletedCategory.id)).toMatchObject({
      deletedBy: staffId,
      deletedAt: expect.any(Number),
    })
    expect((await get(`/api/category/${deletedCategory.id}`)).status).toBe(404)
    expect((await put(`/api/category/${deletedCategory.id}`, { category_name: "Back" })).status).toBe(404)
    expect(names((await lookUp("course")).body)).toEqual(["Kept"])
    expect((await list()).body).toMatchObject({ recordsTotal: 1, records: [{ name: "Kept", count: 1 }] })
    expect((await list("course", { search_param: { categoryName: "Gone" } })).body.recordsFiltered).toBe(0)
    expect((await get(`/api/course/${id}`)).body).toMatchObject({ categoryIds: [otherCategory.id], categories: "Kept" })
    const search = query({ page_size: 10, page_number: 1, search_param: { courseCategoryIds: [deletedCategory.id] } })
    expect((await get(`/api/courses/tabularlist${search}`)).body.recordsFiltered).toBe(0)
    expect((await post("/api/course/create", { name: "A", categoryIds: [deletedCategory.id] })).status).toBe(422)
    expect((await rowsOf(auditLogs)).map((row) => [row.action, row.effectOn])).toEqual([["deleted", "Gone"]])
  })

  it("deletes 500 categories in two round trips", async () => {
    await fill(500, "course")
    const response = await remove(Array.from({ length: 500 }, (_, i) => 100_001 + i))
    expect(response.body.message).toBe("500 categories deleted.")
    expect(cost(response).roundTrips).toBe(2)
    expect((await list()).body.recordsTotal).toBe(0)
  })

  it("allows staff to change and list categories, and everyone to look them up", async () => {
    await create("A")
    const learner = await signedIn("general")
    expect((await lookUp("course", learner)).body).toEqual([{ id: 1, name: "A" }])
    for (const { token } of [learner, await signedIn("group_admin")]) {
      expect((await list("course", {}, { token })).status).toBe(403)
      expect((await create("B", "course", { token })).status).toBe(403)
      expect((await get("/api/category/1", { token })).status).toBe(403)
      expect((await remove([1], { token })).status).toBe(403)
    }
    expect((await create("B", "user", await signedIn("staff"))).status).toBe(200)
  })

  it("respects If-Match and Idempotency-Key", async () => {
    const headers = { "idempotency-key": "k1" }
    await create("A", "course", { headers })
    expect((await create("A", "course", { headers })).body).toEqual({ id: 1, message: "Category created." })
    const etag = (await get("/api/category/1")).headers.get("etag") ?? ""
    await put("/api/category/1", { category_name: "B" })
    const late = await put("/api/category/1", { category_name: "C" }, { headers: { "if-match": etag } })
    expect(late.status).toBe(412)
    for (const path of ["/api/category/99", "/api/category/x"]) expect((await get(path)).status).toBe(404)
  })
})
