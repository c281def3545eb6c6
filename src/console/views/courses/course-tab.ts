import type { Schemas } from "../../../client/index.ts"
import type { Versioned } from "../../api/queries.ts"

/** Props of the tabs of a course. */
export interface CourseTabProps extends Versioned<Schemas["Course"]> {
  refetch: () => Promise<{ data: Versioned<Schemas["Course"]> | undefined }>
}
