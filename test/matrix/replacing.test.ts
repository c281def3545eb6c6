import { describe, expect, it } from "vitest"
import { category } from "../factories/categories.ts"
import { user } from "../factories/index.ts"
import { course, module } from "../factories/learning.ts"
import { get, post, put } from "../helpers/client.ts"

const question = {
  text: "2 + 2?",
  type: "single",
  options: [{ text: "4", correct: true }, { text: "5" }],
}

/** Each record with lists: its paths and bodies. */
async function recordsWithLists(): Promise<[create: string, record: string, body: object, lists: string[]][]> {
  const courseId = (await course()).id
  const { id: moduleId } = await module()
  const { id: userId } = await user()
  const { id: categoryId } = await category({ type: "course" })
  const { id: ofModules } = await category({ type: "module" })
  return [
    [
      "/api/course/create",
      "/api/course",
      { name: "Algebra", categoryIds: [categoryId], modules: [{ module_id: moduleId }] },
      ["categoryIds", "modules"],
    ],
    ["/api/learningpath/create", "/api/learningpath", { name: "Path", course_ids: [courseId] }, ["course_ids"]],
    [
      "/api/modules/quiz",
      "/api/modules/quiz",
      { name: "Quiz", content: "", categoryIds: [ofModules], questions: [question] },
      ["categoryIds", "questions"],
    ],
    [
      "/api/announcement",
      "/api/announcement",
      { heading: "Hello", content: "All", sending_rules: "specific_users", user_ids: [userId] },
      ["user_ids"],
    ],
  ]
}

describe("a list that a PUT replaces", () => {
  it("is unchanged by null and empty text: only an empty array empties it", async () => {
    for (const [create, record, body, lists] of await recordsWithLists()) {
      const made = await post(create, body)
      expect(made.status, `${create} ${JSON.stringify(made.body)}`).toBe(200)
      const path = `${record}/${made.body.id}`
      const before = (await get(path)).body
      for (const field of lists)
        for (const blank of [null, "", "  "]) {
          const answer = await put(path, { [field]: blank })
          expect(answer.status, `${path} ${field} ${JSON.stringify(answer.body)}`).toBeLessThan(300)
          expect((await get(path)).body, `${path} ${field}`).toEqual(before)
        }
    }
  })

  it("is emptied by an empty array in any spelling", async () => {
    const { id: categoryId } = await category({ type: "course" })
    for (const empty of [[], "[]"]) {
      const { body } = await post("/api/course/create", { name: "Algebra", categoryIds: [categoryId] })
      expect((await put(`/api/course/${body.id}`, { categoryIds: empty })).status).toBe(200)
      expect((await get(`/api/course/${body.id}`)).body.categoryIds).toEqual([])
    }
  })
})
