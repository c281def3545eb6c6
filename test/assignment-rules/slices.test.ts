import { env } from "cloudflare:workers"
import { expect, it } from "vitest"
import { assignmentMembers } from "../../drizzle/schema/assignment-rules.ts"
import { batchesOf, inSmallBatches, runJobs } from "../factories/background-jobs.ts"
import { rowsOf, signedIn, user } from "../factories/index.ts"
import { course } from "../factories/learning.ts"
import { post } from "../helpers/client.ts"

it("reads as many rows for each person of a rule in a large academy as in a small one", async () => {
  const { token } = await signedIn("owner")
  const { id: courseId } = await course()
  const due = { type: "days", days: 30, from: "assignment" }
  /** Evaluates a new rule for the academy, in slices of two people. @returns the rows read */
  const evaluate = async () => {
    const body = { name: "Fire safety", audience: { role: ["general"] }, courseIds: [courseId], due }
    const { id } = (await post("/api/assignment-rule/create", body, { token })).body
    const read = await inSmallBatches(() => batchesOf(runJobs, "rows_read"), 200)
    await env.DB.exec(`update assignment_rules set active = 0 where id = ${id}`)
    return read.reduce((sum, rows) => sum + rows, 0)
  }
  const add = async (people: number) => {
    for (let count = 0; count < people; count++) await user()
  }
  await add(20)
  const small = await evaluate()
  await add(60)
  const large = await evaluate()
  expect(await rowsOf(assignmentMembers)).toHaveLength(20 + 80)
  expect(large / small).toBeLessThan(4.5)
})
