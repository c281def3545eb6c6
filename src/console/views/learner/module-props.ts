import type { DataOf } from "../../../client/index.ts"

export type CourseModule = DataOf<"/api/course/modules", "get">[number]

/** Props of the components of the module types. */
export interface ModuleProps {
  registrationId: number
  module: CourseModule
  /** Seconds that must be spent before the module can be completed. */
  minTimeSpent: number
}
