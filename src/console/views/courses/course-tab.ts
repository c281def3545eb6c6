import type { Schemas } from "../../../client/index.ts"
import type { Versioned } from "../../api/queries.ts"

/** What a part of a course's page is given. */
export interface CoursePart extends Versioned<Schemas["Course"]> {
  /** Reads the course anew. */
  reread: () => Promise<{ data: Versioned<Schemas["Course"]> | undefined }>
}
