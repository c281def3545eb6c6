// The requests of `npm run bench -- operations`, and the records that they need.
import { type Connection, call, connect, each, json, PASSWORD } from "../../scripts/lib/client.ts"
import { query } from "../../scripts/lib/request.ts"
import { BADGE, type BenchRequest, hotOperations, type Operation } from "./hot-operations.ts"

/** The equivalent requests of another server by operation. Missing operations are not measured. */
export type Adapter = (operation: Operation, n: number) => BenchRequest | undefined

const MODULES = 30
const LEARNERS = 20

/** Makes a course that the owner and other users learn in. @returns the owner's connection, and the operations */
export async function prepare(url: string): Promise<{ owner: Connection; operations: Operation[] }> {
  const owner = await connect(url, "owner@example.com", PASSWORD)
  const post = (path: string, body: object) => call(owner, "POST", path, body).then(json<{ id: number }>)
  const list = async <T>(path: string) => (await json<{ records: T[] }>(await call(owner, "GET", path))).records
  const page = { page_size: 20, page_number: 1 }
  const modules: number[] = []
  const texts = Array.from({ length: MODULES }, (_, i) => ({ name: `Bench text ${i}`, content: "<p>Read this.</p>" }))
  await each(texts, 4, async (text) => void modules.push((await post("/api/modules/text", text)).id))
  const { id: course } = await post("/api/course/create", {
    name: "Bench course",
    slug: "bench-course",
    status: "publish",
    modules: modules.map((module_id) => ({ module_id, required: true })),
  })
  const people = await list<{ id: number }>(`/api/users/tabularlist${query({ page_size: LEARNERS, page_number: 1 })}`)
  const user_ids = [owner.userId, ...people.map(({ id }) => id)]
  await json(await call(owner, "POST", "/api/course/enroll", { course_ids: [course], user_ids }))
  const newest = { order_by: { colName: "id", direction: "desc" } }
  const own = { user_id: owner.userId, ...page }
  const [mine] = await list<{ id: number }>(`/api/users/enrolled-courses${query({ ...own, ...newest })}`)
  const registrationId = mine?.id ?? 0
  for (const moduleId of modules.slice(0, 5))
    await json(await call(owner, "POST", "/api/module/progress", { registrationId, moduleId, timeSpent: 5 }))
  const { id: badgeId } = await post("/api/badge/create", BADGE)

  const operations = hotOperations({
    userId: owner.userId,
    course,
    registrationId,
    moduleId: modules[0] ?? 0,
    badgeId,
  })
  return { owner, operations }
}
