import type { Schemas } from "../../../client/index.ts"
import { announce } from "../../api/announce.ts"
import { useEditableRecord } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { labelFor } from "./labels.ts"
import { ModuleCourseSettings } from "./module-course-settings.tsx"
import type { ModuleType } from "./module-form.ts"
import { ModuleForm } from "./module-forms.tsx"
import { addToCourse } from "./save-module.ts"
import type { CourseModuleRow } from "./use-course-modules.ts"

interface EditModuleDrawerProps {
  module: CourseModuleRow
  /** Of a change of its settings. */
  error: unknown
  isSettingsOpen: boolean
  onChange: (row: CourseModuleRow) => void
  onRemove: (row: CourseModuleRow) => void
  onClose: () => void
}

/** Edits a module without leaving its course. */
export function EditModuleDrawer(props: EditModuleDrawerProps) {
  const { module, error, isSettingsOpen, onChange, onRemove, onClose } = props
  const { type, module_id: id, name } = module
  const editable = useEditableRecord(`/api/modules/${type}/{id}`, { params: { path: { id } } })
  return (
    <Dialog title={name} onClose={onClose} isDrawer>
      <ErrorMessage error={error} />
      <ModuleCourseSettings module={module} isOpen={isSettingsOpen} onChange={onChange} onRemove={onRemove} />
      <Loaded query={editable}>
        {({ record, version }) => (
          <>
            {record.courses.length > 1 && (
              <p class="notice">
                {t("courses:module.shared", { count: record.courses.length, shown: number(record.courses.length) })}
              </p>
            )}
            <ModuleForm
              type={type}
              module={record}
              version={version}
              refetch={editable.refetch}
              onSaved={async () => onClose()}
            />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

interface NewModuleDrawerProps {
  type: ModuleType
  course: Schemas["Course"]
  onClose: () => void
}

/** Creates a module at the end of a course. */
export const NewModuleDrawer = ({ type, course, onClose }: NewModuleDrawerProps) => (
  <Dialog title={t("courses:modules.new-of-type", { type: labelFor("type", type) })} onClose={onClose} isDrawer>
    <ModuleForm
      type={type}
      onSaved={async (id) => {
        await addToCourse(course.id, id)
        announce(t("courses:modules.added", { count: 1, shown: number(1) }))
        onClose()
      }}
    />
  </Dialog>
)
