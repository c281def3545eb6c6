// The operations of npm run bench: what a client of this service asks, and what has to be there for it.
import { type Connection, call, connect, each, json, PASSWORD } from "../../scripts/lib/client.ts"
import { query } from "../../scripts/lib/request.ts"

export interface BenchRequest {
  method: string
  path: string
  body?: object
  headers?: Record<string, string>
}

export interface Operation {
  name: string
  kind: "read" | "mutation"
  /** What is asked for the n-th time. */
  ask: (n: number) => BenchRequest
  /** Its guard refuses a second one at the same time: it is measured at one connection only. */
  alone?: boolean
}

/** What another server is asked for the same: by the name of an operation. One that is missing is left out. */
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
  const badge = { title: "Bench badge", badgeIconUrl: "/assets/badge-star.svg", points: 5 }
  const { id: badgeId } = await post("/api/badge/create", badge)

  const read = (name: string, path: string, parameters: object = {}): Operation => ({
    name,
    kind: "read",
    ask: () => ({ method: "GET", path: `${path}${query({ ...parameters })}` }),
  })
  const change = (name: string, path: string, body: (n: number) => object): Operation => ({
    name,
    kind: "mutation",
    ask: (n) => ({ method: "POST", path, body: body(n) }),
  })
  const operations: Operation[] = [
    read("a user's detail", `/api/user/${owner.userId}`),
    read("a list of 20 users", "/api/users/tabularlist", page),
    read("a search of users", "/api/users/tabularlist", { ...page, search_param: { nameOrEmail: "ow" } }),
    read("a list of 20 courses", "/api/courses/tabularlist", page),
    read("a course's detail", `/api/course/${course}`),
    read("a user's courses", "/api/users/enrolled-courses", own),
    read("a user's dashboard", "/api/user/dashboard/statistics", { user_id: owner.userId }),
    read("a registration's 30 modules", "/api/course/modules", { registrationId }),
    read("a course's 20 learners", "/api/course/enrolled-students", { course_id: course, group_id: "", ...page }),
    read("a report on a course", "/api/course/reports/course-detailed", { course_id: course, ...page }),
    read("a user's activities", "/api/user-activities", { ...own, context: "learner" }),
    read("the audit log", "/api/audit-activities", page),
    read("a list of badges", "/api/badges/tabularlist", page),
    change("heartbeat", "/api/module/progress", () => ({ registrationId, moduleId: modules[0], timeSpent: 20 })),
    change("create a location", "/api/location/create", () => ({ name: "Bench hall", city: "Bath", capacity: 30 })),
    change("create a module", "/api/modules/text", (n) => ({
      name: `Bench ${n}`,
      slug: `bench-${n}`,
      content: "Read.",
    })),
    change("create a badge", "/api/badge/create", () => badge),
    change("create a group", "/api/group/create", () => ({ name: "Bench group" })),
    {
      name: "change a badge",
      kind: "mutation",
      ask: (n) => ({ method: "PUT", path: `/api/badge/${badgeId}`, body: { ...badge, points: 1000 + n } }),
      alone: true,
    },
    {
      name: "change a user",
      kind: "mutation",
      ask: (n) => ({ method: "PUT", path: `/api/user/${owner.userId}`, body: { firstName: `Olive ${n}` } }),
      alone: true,
    },
  ]
  return { owner, operations }
}
