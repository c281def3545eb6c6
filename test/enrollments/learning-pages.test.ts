import { describe, expect, it } from "vitest"
import { signedIn } from "../factories/index.ts"
import { course, enrollment, module, moduleStatus } from "../factories/learning.ts"
import { learningPath, pathEnrollment } from "../factories/learning-paths.ts"
import { cost, get, query } from "../helpers/client.ts"

const at = (url: string) => new URL(url).pathname

describe("course and learning path pages", () => {
  it("show a course with its modules and the learner's progress", async () => {
    const learner = await signedIn("general")
    const [first, second] = [await module({ name: "Limits & <sums>" }), await module({ name: "Series" })]
    const row = await course({ name: "Algebra", slug: "algebra" }, [{ moduleId: first.id }, { moduleId: second.id }])
    const started = await enrollment(learner, row, { status: "In Progress", percent: 50 })
    await moduleStatus(started.id, first.id, { status: "Completed" })
    const search = query({ user_id: learner.id, page_size: 10, page_number: 1 })
    const { body } = await get(`/api/users/enrolled-courses${search}`, learner)
    const response = await get(at(body.records[0].courseSlug), learner)
    expect(response.status).toBe(200)
    expect(cost(response).roundTrips).toBe(1)
    for (const text of [
      "Algebra",
      "In Progress, 50% complete",
      "Limits &amp; &lt;sums&gt; (Text)</span><span>Completed",
    ])
      expect(response.body).toContain(text)
    expect(response.body).toContain("Series (Text)</span><span>Not Started")
  })

  it("show a path with links to its courses", async () => {
    const learner = await signedIn("general")
    const row = await course({ name: "Algebra", slug: "algebra" })
    const path = await learningPath({ name: "Science", type: "private" }, [row])
    await pathEnrollment(learner, path, { status: "In Progress", percent: 10 })
    const listed = await get(`/api/users/enrolled-learningpaths${query({ page_size: 9, page_number: 1 })}`, learner)
    const response = await get(at(listed.body.records[0].launchSlug), learner)
    expect(response.body).toContain("In Progress, 10% complete")
    expect(response.body).toContain('<a href="/course/algebra">Algebra</a><span>Not enrolled')
    expect((await get("/course/algebra", learner)).body).toContain("Not enrolled")
    expect((await get(at(listed.body.records[0].launchSlug), await signedIn("general"))).status).toBe(404)
  })

  it("require sign-in, and hide drafts from users who are not enrolled", async () => {
    const [learner, staff] = [await signedIn("general"), await signedIn("staff")]
    const draft = await course({ slug: "later", status: "draft" })
    const stranger = await get("/course/later")
    expect(stranger.status).toBe(302)
    expect(stranger.headers.get("location")).toBe("/login?next=%2Fcourse%2Flater")
    expect((await get("/course/later", learner)).status).toBe(404)
    expect((await get("/course/nothing", staff)).status).toBe(404)
    expect((await get("/course/later", staff)).status).toBe(200)
    await enrollment(learner, draft)
    expect((await get("/course/later", learner)).status).toBe(200)
  })
})
