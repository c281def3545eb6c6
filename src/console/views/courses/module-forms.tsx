import type { FunctionComponent } from "preact"
import { AssignmentModule } from "./module-assignment.tsx"
import type { ModuleFormProps, ModuleType } from "./module-form.ts"
import { QuizModule } from "./module-quiz.tsx"
import { ScormModule } from "./module-scorm.tsx"
import { TextModule } from "./module-text.tsx"
import { VideoModule } from "./module-video.tsx"

const FORMS: { [Type in ModuleType]: FunctionComponent<ModuleFormProps<Type>> } = {
  text: TextModule,
  video: VideoModule,
  quiz: QuizModule,
  assignment: AssignmentModule,
  scorm: ScormModule,
}

/** The form of a module of any type. */
export function ModuleForm({ type, ...props }: { type: ModuleType } & ModuleFormProps<ModuleType>) {
  const Form = FORMS[type] as FunctionComponent<ModuleFormProps<ModuleType>>
  return <Form {...props} />
}
