import type { Schemas } from "../../../client/index.ts"

/** Sessions of a class that its page shows. */
export const MOST_SESSIONS = 100

/** What each part of a class's page is given. */
export interface ClassPart {
  id: number
  /** Of the class, in their order. */
  sessions: readonly Schemas["ClassSchedule"][]
  /** The first of them. */
  first: Schemas["ClassSchedule"]
}
