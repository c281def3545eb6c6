import { useId } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { labelFor } from "./labels.ts"

type Row = Omit<Schemas["Course"]["modules"][number], "slug">

interface CourseModuleProps {
  module: Row
  onChange: (row: Row) => void
  onRemove: (row: Row) => void
}

/** One module of a course with its course-specific settings. */
export function CourseModule({ module, onChange, onRemove }: CourseModuleProps) {
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
    // A fieldset, so that screen readers announce the module with each setting.
    <fieldset class="course-module">
      <legend>
        <a href={`/console/modules/${module.type}/${module.module_id}`}>{module.name}</a>{" "}
        <span class="badge">{labelFor("type", module.type)}</span>
      </legend>
      <div class="module-settings">
        {checkbox("required")}
        {checkbox("isLocked")}
        {numberField("dripDays", 36_500)}
        {numberField("minTimeSpent", 1_000_000)}
        <button type="button" aria-label={t("courses:remove", { name: module.name })} onClick={() => onRemove(module)}>
          {t("remove")}
        </button>
      </div>
    </fieldset>
  )
}
