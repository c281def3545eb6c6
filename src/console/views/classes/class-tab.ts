import type { Schemas } from "../../../client/index.ts"

/** Maximum number of sessions that the page of a class shows. */
export const MAX_SESSIONS = 100

/** Props of the tabs of a class. */
export interface ClassTabProps {
  id: number
  sessions: readonly Schemas["ClassSchedule"][]
  /** The first session. */
  first: Schemas["ClassSchedule"]
}
