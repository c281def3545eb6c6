import type { Schemas } from "../../../client/index.ts"

/** The module record by type. */
interface Modules {
  text: Schemas["TextModule"]
  video: Schemas["VideoModule"]
  quiz: Schemas["QuizModule"]
  assignment: Schemas["AssignmentModule"]
  scorm: Schemas["ScormModule"]
}
export type ModuleType = keyof Modules

/** Props of the module forms. `module` is undefined for a new module. */
export interface ModuleFormProps<Type extends ModuleType> {
  module?: Modules[Type]
  version?: string
  refetch?: () => Promise<unknown>
  /** Called after a save, instead of opening the page of a new module. */
  onSaved?: ((id: number) => Promise<void>) | undefined
}
