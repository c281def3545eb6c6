import type { ComponentChild } from "preact"
import type { DataOf } from "../../../client/index.ts"

export type CourseModule = DataOf<"/api/course/modules", "get">[number]

/** Props of the components of the module types. */
export interface ModuleProps {
  registrationId: number
  module: CourseModule
  /** Seconds that must be spent before the module can be completed. */
  minTimeSpent: number
  /** Whether no other module is open to be completed: then the button does not say that the course continues. */
  isLast: boolean
  /** The links to the previous and the next module, with the button that completes this one. */
  navigation: (complete?: ComponentChild) => ComponentChild
  /** Opens the next module, if it is open by then. */
  onCompleted: () => void
}

/** Why a module can't be opened; "" if it can. */
export const lockMessage = ({ is_locked, lock_reason, is_dripped, drip_message }: CourseModule) =>
  is_dripped ? drip_message : is_locked ? lock_reason : ""

const isDone = ({ status }: CourseModule) => status === "Completed" || status === "Submitted"

/** The lesson to continue with: the one opened last, else the first that is open; undefined if all are done. */
export function lessonToContinue(modules: readonly CourseModule[]): CourseModule | undefined {
  const open = modules.filter((module) => !isDone(module) && !lockMessage(module))
  const lastOpened = open
    .filter(({ last_accessed_on }) => last_accessed_on !== null)
    .sort((a, b) => Date.parse(b.last_accessed_on ?? "") - Date.parse(a.last_accessed_on ?? ""))
  return lastOpened[0] ?? open[0]
}

/** Progress in percent: of the required modules, or of all if none is required. */
export function percentCompleted(modules: readonly CourseModule[], required: ReadonlySet<number>) {
  const counted = required.size === 0 ? modules : modules.filter(({ module_id }) => required.has(module_id))
  const completed = counted.filter(({ status }) => status === "Completed").length
  return counted.length === 0 ? 0 : Math.floor((100 * completed) / counted.length)
}
