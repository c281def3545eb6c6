import { Settings2 } from "lucide-preact"
import { t } from "../../messages/messages.ts"
import { labelFor } from "./labels.ts"
import { settingsOf } from "./module-course-settings.tsx"
import { ModuleIcon } from "./module-icon.tsx"
import type { CourseModuleRow } from "./use-course-modules.ts"

/** One module of a course in a row. Its name and its settings open the drawer. */
export function CourseModule({ courseId, module }: { courseId: number; module: CourseModuleRow }) {
  const href = `/console/courses/${courseId}?tab=modules&module=${module.module_id}`
  return (
    <div class="module-row">
      <ModuleIcon type={module.type} />
      <span class="what">
        <a href={href}>{module.name}</a>{" "}
        <span class="quiet">{[labelFor("type", module.type), ...settingsOf(module)].join(" · ")}</span>
      </span>
      <a
        class="button icon"
        href={`${href}&settings=1`}
        aria-label={t("courses:module.settings", { name: module.name })}
      >
        <Settings2 size={18} aria-hidden />
      </a>
    </div>
  )
}
