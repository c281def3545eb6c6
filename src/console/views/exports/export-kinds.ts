import { api } from "../../api/client.ts"
import { store } from "../../api/store.ts"
import type { Values } from "../../ui/form.tsx"

/** A kind of export: by what its four operations are, and by what it can be narrowed. */
export interface ExportKind {
  name: "users" | "insight" | "quizzes" | "gradebook"
  path:
    | "/api/users/export"
    | "/api/learner-insight/report/export"
    | "/api/user/learner-quizzes/export"
    | "/api/user/gradebook/export"
  /** Only this course, only registrations that stand like this, only users of these categories and this membership. */
  filters: readonly ("course" | "status" | "categories" | "membership")[]
}

export const EXPORT_KINDS: readonly ExportKind[] = [
  { name: "users", path: "/api/users/export", filters: ["categories", "membership"] },
  { name: "insight", path: "/api/learner-insight/report/export", filters: ["status"] },
  { name: "quizzes", path: "/api/user/learner-quizzes/export", filters: ["course", "status"] },
  { name: "gradebook", path: "/api/user/gradebook/export", filters: ["course", "status"] },
]

type Status = "Not Started" | "In Progress" | "Completed"
/** How a registration may stand, and what that is called. */
export const STATUSES: Record<Status, string> = {
  "Not Started": "status.not-started",
  "In Progress": "status.in-progress",
  Completed: "status.completed",
}

/** Begins an export of what a form was filled in with. */
export function beginExport({ path, filters }: ExportKind, values: Values) {
  const has = (filter: (typeof filters)[number]) => filters.includes(filter)
  const [portal, course, membership] = [values.number("portal"), values.number("course"), values.number("membership")]
  const [categories, statuses] = [values.all("categories").map(Number), values.all("status") as Status[]]
  const nameOrEmail = values.optional("nameOrEmail")
  const search_param = {
    ...(nameOrEmail && { nameOrEmail }),
    ...(has("course") && course !== undefined && { courseId: course }),
    ...(has("status") && statuses.length > 0 && { status: statuses }),
    ...(has("membership") && membership !== undefined && { membershipId: membership }),
    ...(has("categories") && categories.length > 0 && { userCategoryId: categories }),
  }
  return api.POST(path, { body: { search_param, ...(portal !== undefined && { searchPortalIds: [portal] }) } })
}

/** An export that was begun in this browser: the service lists none. */
export interface Begun {
  id: string
  kind: ExportKind["name"]
  /** Epoch milliseconds. */
  at: number
}

const KEPT_AT_MOST = 30
const keptAs = (userId: number) => `lectern.exports.${userId}`

function kept(userId: number): readonly Begun[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(keptAs(userId)) ?? "[]")
    return Array.isArray(read) ? read : []
  } catch {
    return []
  }
}

/** The exports that a user began in this browser, the newest first. */
export function begunExports(userId: number) {
  const begun = store(kept(userId))
  const keep = (all: readonly Begun[]) => {
    begun.set(all)
    try {
      localStorage.setItem(keptAs(userId), JSON.stringify(all))
    } catch {
      // A full or forbidden storage keeps them as long as the page is open.
    }
  }
  return {
    begun,
    /** The same export asked for twice is one. */
    add: (one: Begun) => keep([one, ...begun.get().filter(({ id }) => id !== one.id)].slice(0, KEPT_AT_MOST)),
    forget: (id: string) => keep(begun.get().filter((one) => one.id !== id)),
  }
}
