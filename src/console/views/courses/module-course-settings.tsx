import { Trash2 } from "lucide-preact"
import { useId } from "preact/hooks"
import { number, t } from "../../messages/messages.ts"
import type { CourseModuleRow } from "./use-course-modules.ts"

/** What a course asks of a module, in words. */
export const settingsOf = ({ required, isLocked, dripDays }: CourseModuleRow): string[] => [
  t(`courses:module.${required ? "required" : "optional"}`),
  ...(isLocked ? [t("courses:module.in-order")] : []),
  ...(dripDays > 0 ? [t("courses:module.opens-after", { count: dripDays, shown: number(dripDays) })] : []),
]

interface ModuleCourseSettingsProps {
  module: CourseModuleRow
  isOpen: boolean
  onChange: (row: CourseModuleRow) => void
  onRemove: (row: CourseModuleRow) => void
}

/** The settings of a module in one course, which are saved as they change. */
export function ModuleCourseSettings({ module, isOpen, onChange, onRemove }: ModuleCourseSettingsProps) {
  const id = useId()
  const checkbox = (name: "required" | "isLocked") => (
    <div class="check">
      <input
        type="checkbox"
        id={`${id}-${name}`}
        checked={module[name]}
        onChange={({ currentTarget: { checked } }) => onChange({ ...module, [name]: checked })}
      />
      <label for={`${id}-${name}`}>{t(`courses:module.${name === "required" ? "required" : "locked"}`)}</label>
    </div>
  )
  const numberField = (name: "dripDays" | "minTimeSpent", max: number) => (
    <div class="field">
      <label for={`${id}-${name}`}>{t(`courses:module.${name === "dripDays" ? "drip" : "minimum-time"}`)}</label>
      <input
        type="number"
        id={`${id}-${name}`}
        min={0}
        max={max}
        value={module[name]}
        onChange={({ currentTarget: { valueAsNumber: value } }) => onChange({ ...module, [name]: value || 0 })}
      />
    </div>
  )
  return (
    <details class="module-settings" open={isOpen}>
      <summary>
        {t("courses:module.in-course")} <span class="quiet">{settingsOf(module).join(" · ")}</span>
      </summary>
      <div class="module-settings-fields">
        {checkbox("required")}
        {checkbox("isLocked")}
        {numberField("dripDays", 36_500)}
        {numberField("minTimeSpent", 1_000_000)}
        <p class="quiet">{t("courses:module.saved-at-once")}</p>
        <button type="button" onClick={() => onRemove(module)}>
          <Trash2 size={16} aria-hidden /> {t("courses:module.remove")}
        </button>
      </div>
    </details>
  )
}
