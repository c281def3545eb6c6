import { BookOpen, Library } from "lucide-preact"
import { useRef } from "preact/hooks"
import { announce } from "../../api/announce.ts"
import { t } from "../../messages/messages.ts"
import { EmptyState } from "../../ui/empty-state.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { SortableList } from "../../ui/sortable-list.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { CourseCertificate } from "./course-certificate.tsx"
import { CourseModule } from "./course-module.tsx"
import type { CourseTabProps } from "./course-tab.ts"
import { isModuleType, labelFor, MODULE_TYPES } from "./labels.ts"
import { LibraryDialog } from "./library-dialog.tsx"
import { EditModuleDrawer, NewModuleDrawer } from "./module-drawer.tsx"
import { ModuleIcon } from "./module-icon.tsx"
import { type CourseModuleRow, useCourseModules } from "./use-course-modules.ts"

/** A button for each type of module, which opens its form beside the course. */
function AddBar({ onAdd }: { onAdd: (what: string) => void }) {
  return (
    <fieldset class="add-bar">
      <legend>{t("courses:modules.add")}</legend>
      {MODULE_TYPES.map((type) => (
        <button key={type} type="button" onClick={() => onAdd(type)}>
          <ModuleIcon type={type} /> {labelFor("type", type)}
        </button>
      ))}
      <button type="button" onClick={() => onAdd("library")}>
        <Library size={18} aria-hidden /> {t("courses:modules.from-library")}
      </button>
    </fieldset>
  )
}

/** The content of a course: its modules in order, and its certificate. The URL stores which module is open. */
export function CourseModules(props: CourseTabProps) {
  const { record: course } = props
  const { rows, error, save } = useCourseModules(props)
  const { query, change } = useUrlState()
  const list = useRef<HTMLElement>(null)
  const open = rows.find(({ module_id }) => String(module_id) === query.module)
  const close = () => change({ module: undefined, settings: undefined, add: undefined }, { replace: true })
  const replace = (changed: CourseModuleRow) =>
    save(rows.map((row) => (row.module_id === changed.module_id ? changed : row)))
  const remove = async (removed: CourseModuleRow) => {
    close()
    list.current?.focus()
    if (await save(rows.filter(({ module_id }) => module_id !== removed.module_id)))
      announce(t("courses:modules.removed", { name: removed.name }))
  }
  return (
    <>
      <ErrorMessage error={!open && error} />
      <section ref={list} tabIndex={-1} aria-label={t("courses:tab.modules")}>
        {rows.length === 0 ? (
          <EmptyState icon={BookOpen} text={t("courses:modules.none")} />
        ) : (
          <SortableList
            label={t("courses:tab.modules")}
            items={rows}
            keyOf={({ module_id }) => module_id}
            nameOf={({ name }) => name}
            onReorder={save}
          >
            {(row) => <CourseModule courseId={course.id} module={row} />}
          </SortableList>
        )}
      </section>
      <AddBar onAdd={(add) => change({ add })} />
      <CourseCertificate {...props} />
      {open && (
        <EditModuleDrawer
          key={open.module_id}
          module={open}
          error={error}
          isSettingsOpen={query.settings !== undefined}
          onChange={replace}
          onRemove={remove}
          onClose={close}
        />
      )}
      {isModuleType(query.add) && <NewModuleDrawer type={query.add} course={course} onClose={close} />}
      {query.add === "library" && <LibraryDialog rows={rows} save={save} onClose={close} />}
    </>
  )
}
