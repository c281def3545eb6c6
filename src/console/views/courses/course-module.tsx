import { Settings2, Trash2 } from "lucide-preact"
import { useId, useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { number, t } from "../../messages/messages.ts"
import { labelFor } from "./labels.ts"
import { ModuleIcon } from "./module-icon.tsx"

type Row = Omit<Schemas["Course"]["modules"][number], "slug">

interface CourseModuleProps {
  module: Row
  onChange: (row: Row) => void
  onRemove: (row: Row) => void
}

/** One module of a course with its course-specific settings. */
export function CourseModule({ module, onChange, onRemove }: CourseModuleProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
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
  const facts = [
    t(`courses:module.${module.required ? "required" : "optional"}`),
    ...(module.isLocked ? [t("courses:module.in-order")] : []),
    ...(module.dripDays > 0
      ? [t("courses:module.opens-after", { count: module.dripDays, shown: number(module.dripDays) })]
      : []),
  ]
  return (
    // A fieldset, so that screen readers announce the module with each setting.
    <fieldset class="course-module">
      <legend class="unseen">{module.name}</legend>
      <div class="module-row">
        <ModuleIcon type={module.type} />
        <span class="what">
          <a href={`/console/modules/${module.type}/${module.module_id}`}>{module.name}</a>{" "}
          <span class="quiet">{[labelFor("type", module.type), ...facts].join(" · ")}</span>
        </span>
        <button
          type="button"
          class="icon"
          aria-expanded={isOpen}
          aria-controls={`${id}-settings`}
          aria-label={t("courses:module.settings", { name: module.name })}
          onClick={() => setOpen(!isOpen)}
        >
          <Settings2 size={18} aria-hidden />
        </button>
      </div>
      <div class="module-settings" id={`${id}-settings`} hidden={!isOpen}>
        {checkbox("required")}
        {checkbox("isLocked")}
        {numberField("dripDays", 36_500)}
        {numberField("minTimeSpent", 1_000_000)}
        <button type="button" aria-label={t("courses:remove", { name: module.name })} onClick={() => onRemove(module)}>
          <Trash2 size={16} aria-hidden /> {t("remove")}
        </button>
      </div>
    </fieldset>
  )
}
