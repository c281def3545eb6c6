import { api } from "../../api/client.ts"
import { store } from "../../api/store.ts"
import type { Values } from "../../ui/form.tsx"

/** The API paths of the exports, by kind. Other views start those that EXPORT_KINDS does not have. */
export const EXPORT_PATHS = {
  users: "/api/users/export",
  insight: "/api/learner-insight/report/export",
  quizzes: "/api/user/learner-quizzes/export",
  gradebook: "/api/user/gradebook/export",
  matrix: "/api/reports/compliance-matrix/export",
  due: "/api/due/export",
  team: "/api/due/team/export",
} as const

/** A kind of export that the view of exports starts, with its filters. */
export interface ExportKind {
  name: "users" | "insight" | "quizzes" | "gradebook"
  filters: readonly ("course" | "status" | "categories" | "membership")[]
}

export const EXPORT_KINDS: readonly ExportKind[] = [
  { name: "users", filters: ["categories", "membership"] },
  { name: "insight", filters: ["status"] },
  { name: "quizzes", filters: ["course", "status"] },
  { name: "gradebook", filters: ["course", "status"] },
]

type Status = "Not Started" | "In Progress" | "Completed"
/** Message keys of the enrollment statuses. */
export const STATUS_LABELS: Record<Status, string> = {
  "Not Started": "status.not-started",
  "In Progress": "status.in-progress",
  Completed: "status.completed",
}

export function startExport({ name, filters }: ExportKind, values: Values) {
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
  return api.POST(EXPORT_PATHS[name], {
    body: { search_param, ...(portal !== undefined && { searchPortalIds: [portal] }) },
  })
}

/** An export that was started in this browser. The API has no list of exports. */
export interface StartedExport {
  id: string
  kind: keyof typeof EXPORT_PATHS
  /** Epoch milliseconds. */
  at: number
}

const MAX_STORED = 30
const storageKey = (userId: number) => `lectern.exports.${userId}`

/** undefined: the storage is blocked. */
function loadStored(userId: number): readonly StartedExport[] | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(userId)) ?? "[]")
    return Array.isArray(stored) ? stored : []
  } catch {
    return undefined
  }
}

/** The exports that a user started in this browser, newest first. */
export function startedExports(userId: number) {
  const list = store(loadStored(userId) ?? [])
  /** Another tab may have started or removed exports. */
  const current = () => loadStored(userId) ?? list.get()
  const save = (all: readonly StartedExport[]) => {
    list.set(all)
    try {
      localStorage.setItem(storageKey(userId), JSON.stringify(all))
    } catch {
      // The storage is full or blocked: the list is lost on reload.
    }
  }
  return {
    list,
    /** Replaces an entry with the same id. */
    add: (started: StartedExport) =>
      save([started, ...current().filter(({ id }) => id !== started.id)].slice(0, MAX_STORED)),
    remove: (id: string) => save(current().filter((started) => started.id !== id)),
  }
}
