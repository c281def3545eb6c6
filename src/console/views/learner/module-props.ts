import type { DataOf } from "../../../client/index.ts"

export type CourseModule = DataOf<"/api/course/modules", "get">[number]

/** What a module's part of the page is given. */
export interface ModuleProps {
  registrationId: number
  module: CourseModule
  /** The least seconds to be spent before it can be completed. */
  minTimeSpent: number
}
