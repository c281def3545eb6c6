import { useRef } from "preact/hooks"
import { type Answer, LecternError } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { readAnew, readRecord, useChange } from "../../api/queries.ts"
import { useAddress, useGo } from "../../ui/url-state.ts"
import { PRECONDITION_FAILED, unlessChanged } from "./conflict.ts"
import type { MODULE_TYPES } from "./labels.ts"

interface SaveModule<Body> {
  type: (typeof MODULE_TYPES)[number]
  /** The module's id; undefined: a new one. */
  id: number | undefined
  create: (body: Body) => Promise<Answer<{ id: number; message: string }>>
  /** Reads the module anew; undefined: a new one. */
  reread: (() => Promise<unknown>) | undefined
  change: (id: number, body: Body) => Promise<Answer<{ message: string }>>
}

/** What a course asks of learners in a module that was just added. */
export const MODULE_SETTINGS = { required: true, isLocked: false, dripDays: 0, minTimeSpent: 0 }

const MOST_TRIES = 3

/** Adds a module to the end of a course. When somebody else changes the course meanwhile, it is read and sent again. */
async function addToCourse(courseId: number, moduleId: number) {
  const params = { path: { id: courseId } }
  for (let tries = 1; ; tries++) {
    const { record, version } = await readRecord("/api/course/{id}", { params })
    if (record.modules.some(({ module_id }) => module_id === moduleId)) return
    const modules = record.modules.map(({ module_id, required, isLocked, dripDays, minTimeSpent }) => ({
      module_id,
      required,
      isLocked,
      dripDays,
      minTimeSpent,
    }))
    try {
      const body = { modules: [...modules, { module_id: moduleId, ...MODULE_SETTINGS }] }
      await api.PUT("/api/course/{id}", { params, body, headers: { "If-Match": version } })
      return
    } catch (failure) {
      const isOutdated = failure instanceof LecternError && failure.status === PRECONDITION_FAILED
      if (!isOutdated || tries === MOST_TRIES) throw failure
    }
  }
}

/** The course that a new module is made for, as the address names it; undefined: none. */
export function useCourseOfNew(): number | undefined {
  return Number(useAddress().query.course) || undefined
}

/** Creates a module, adds it to the course that it is made for, and goes there, or to the module; or changes it. */
export function useSaveModule<Body>({ type, id, create, change, reread }: SaveModule<Body>) {
  const go = useGo()
  const courseId = useCourseOfNew()
  /** What was created here already, where adding it to the course failed. */
  const created = useRef<number>()
  const save = useChange({
    call: (body: Body): Promise<Answer<{ id?: number; message: string }>> => {
      const known = id ?? created.current
      return known === undefined ? create(body) : change(known, body)
    },
    changes: ["/api/modules", "/api/course/{id}", "/api/module/assignment"],
  })
  return async (body: Body) => {
    const made = await unlessChanged(() => save.mutateAsync(body), reread ?? (async () => {}))
    created.current = made.id ?? created.current
    if (id !== undefined || created.current === undefined) return
    if (courseId === undefined) return go(`/modules/${type}/${created.current}`)
    await addToCourse(courseId, created.current)
    await readAnew(["/api/course/{id}", "/api/modules"])
    go(`/courses/${courseId}?tab=modules`)
  }
}
