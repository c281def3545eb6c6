import type { Schemas } from "../../../client/index.ts"

/** A module as it is read, by its type. */
interface Modules {
  text: Schemas["TextModule"]
  video: Schemas["VideoModule"]
  quiz: Schemas["QuizModule"]
  assignment: Schemas["AssignmentModule"]
  scorm: Schemas["ScormModule"]
}
export type ModuleType = keyof Modules

/** What the form of a module's type is given: the module as it was read, or nothing for a new one. */
export interface ModuleFormProps<Type extends ModuleType> {
  module?: Modules[Type]
  version?: string
  /** Reads it anew. */
  reread?: () => Promise<unknown>
}
