// Twenty operations that clients call often. `npm run bench -- operations` measures them, and test/matrix/costs.test.ts
// checks their cost in the database.
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
  /** The n-th request. */
  ask: (n: number) => BenchRequest
  /** Its guard refuses a second one at the same time: it is measured at one connection only. */
  alone?: boolean
}

/** The records that the operations name. */
export interface Subjects {
  userId: number
  course: number
  /** The user's enrollment in the course. */
  registrationId: number
  /** A module of the course. */
  moduleId: number
  badgeId: number
}

export const BADGE = { title: "Bench badge", badgeIconUrl: "/assets/badge-star.svg", points: 5 }

export function hotOperations({ userId, course, registrationId, moduleId, badgeId }: Subjects): Operation[] {
  const page = { page_size: 20, page_number: 1 }
  const own = { user_id: userId, ...page }
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
  return [
    read("a user's detail", `/api/user/${userId}`),
    read("a list of 20 users", "/api/users/tabularlist", page),
    read("a search of users", "/api/users/tabularlist", { ...page, search_param: { nameOrEmail: "ow" } }),
    read("a list of 20 courses", "/api/courses/tabularlist", page),
    read("a course's detail", `/api/course/${course}`),
    read("a user's courses", "/api/users/enrolled-courses", own),
    read("a user's dashboard", "/api/user/dashboard/statistics", { user_id: userId }),
    read("a registration's 30 modules", "/api/course/modules", { registrationId }),
    read("a course's 20 learners", "/api/course/enrolled-students", { course_id: course, group_id: "", ...page }),
    read("a report on a course", "/api/course/reports/course-detailed", { course_id: course, ...page }),
    read("a user's activities", "/api/user-activities", { ...own, context: "learner" }),
    read("the audit log", "/api/audit-activities", page),
    read("a list of badges", "/api/badges/tabularlist", page),
    change("heartbeat", "/api/module/progress", () => ({ registrationId, moduleId, timeSpent: 20 })),
    change("create a location", "/api/location/create", () => ({ name: "Bench hall", city: "Bath", capacity: 30 })),
    change("create a module", "/api/modules/text", (n) => ({
      name: `Bench ${n}`,
      slug: `bench-${n}`,
      content: "Read.",
    })),
    change("create a badge", "/api/badge/create", () => BADGE),
    change("create a group", "/api/group/create", () => ({ name: "Bench group" })),
    {
      name: "change a badge",
      kind: "mutation",
      ask: (n) => ({ method: "PUT", path: `/api/badge/${badgeId}`, body: { ...BADGE, points: 1000 + n } }),
      alone: true,
    },
    {
      name: "change a user",
      kind: "mutation",
      ask: (n) => ({ method: "PUT", path: `/api/user/${userId}`, body: { firstName: `Olive ${n}` } }),
      alone: true,
    },
  ]
}
