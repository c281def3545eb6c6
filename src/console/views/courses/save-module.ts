import { useRef } from "preact/hooks"
import { type ApiResponse, LecternError } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { PRECONDITION_FAILED, refetchOnConflict } from "../../api/conflict.ts"
import { fetchRecord, invalidatePaths, useChange } from "../../api/queries.ts"
import { useNavigate } from "../../ui/url-state.ts"
import type { MODULE_TYPES } from "./labels.ts"

interface SaveModule<Body> {
  type: (typeof MODULE_TYPES)[number]
  /** undefined for a new module. */
  id: number | undefined
  create: (body: Body) => Promise<ApiResponse<{ id: number; message: string }>>
  /** undefined for a new module. */
  refetch: (() => Promise<unknown>) | undefined
  change: (id: number, body: Body) => Promise<ApiResponse<{ message: string }>>
  onSaved: ((id: number) => Promise<void>) | undefined
}

/** Settings of a module that is added to a course. */
export const DEFAULT_MODULE_SETTINGS = { required: true, isLocked: false, dripDays: 0, minTimeSpent: 0, opensAt: null }

const MAX_TRIES = 3

/** Appends a module to a course. Retries if someone else changes the course meanwhile. */
export async function addToCourse(courseId: number, moduleId: number) {
  const params = { path: { id: courseId } }
  for (let tries = 1; ; tries++) {
    const { record, version } = await fetchRecord("/api/course/{id}", { params })
    if (record.modules.some(({ module_id }) => module_id === moduleId)) break
    const modules = record.modules.map(({ module_id, required, isLocked, dripDays, minTimeSpent, opensAt }) => ({
      module_id,
      required,
      isLocked,
      dripDays,
      minTimeSpent,
      opensAt,
    }))
    try {
      const body = { modules: [...modules, { module_id: moduleId, ...DEFAULT_MODULE_SETTINGS }] }
      await api.PUT("/api/course/{id}", { params, body, headers: { "If-Match": version } })
      break
    } catch (failure) {
      const isConflict = failure instanceof LecternError && failure.status === PRECONDITION_FAILED
      if (!isConflict || tries === MAX_TRIES) throw failure
    }
  }
  await invalidatePaths(["/api/course/{id}", "/api/modules"])
}

/** Changes a module, or creates it and opens its page. */
export function useSaveModule<Body>({ type, id, create, change, refetch, onSaved }: SaveModule<Body>) {
  const go = useNavigate()
  /** The id of a module that was created, but not yet added to a course. */
  const createdId = useRef<number>()
  const save = useChange({
    call: (body: Body): Promise<ApiResponse<{ id?: number; message: string }>> => {
      const existingId = id ?? createdId.current
      return existingId === undefined ? create(body) : change(existingId, body)
    },
    invalidates: ["/api/modules", "/api/course/{id}", "/api/module/assignment"],
  })
  return async (body: Body) => {
    const response = await refetchOnConflict(() => save.mutateAsync(body), refetch ?? (async () => {}))
    createdId.current = response.id ?? createdId.current
    const savedId = id ?? createdId.current
    if (savedId === undefined) return
    if (onSaved) await onSaved(savedId)
    else if (id === undefined) go(`/modules/${type}/${savedId}`)
  }
}
