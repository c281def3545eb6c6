import type { Answer } from "../../../client/index.ts"
import { useChange } from "../../api/queries.ts"
import { useGo } from "../../ui/address.ts"
import { unlessChanged } from "./meanwhile.ts"
import type { MODULE_TYPES } from "./words.ts"

interface SaveModule<Body> {
  type: (typeof MODULE_TYPES)[number]
  /** The module's id; undefined: a new one. */
  id: number | undefined
  create: (body: Body) => Promise<Answer<{ id: number; message: string }>>
  /** Reads the module anew; undefined: a new one. */
  reread: (() => Promise<unknown>) | undefined
  change: (id: number, body: Body) => Promise<Answer<{ message: string }>>
}

/** Creates a module, and goes to it; or changes it. */
export function useSaveModule<Body>({ type, id, create, change, reread }: SaveModule<Body>) {
  const go = useGo()
  const save = useChange({
    call: (body: Body): Promise<Answer<{ id?: number; message: string }>> =>
      id === undefined ? create(body) : change(id, body),
    changes: ["/api/modules", "/api/course/{id}", "/api/module/assignment"],
  })
  return async (body: Body) => {
    const made = await unlessChanged(() => save.mutateAsync(body), reread ?? (async () => {}))
    if (id === undefined && made.id !== undefined) go(`/modules/${type}/${made.id}`)
  }
}
