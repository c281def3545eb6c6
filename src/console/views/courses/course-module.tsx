import { useId } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { wordOf } from "./labels.ts"

type Row = Omit<Schemas["Course"]["modules"][number], "slug">

interface CourseModuleProps {
  module: Row
  onChange: (row: Row) => void
  onRemove: (row: Row) => void
}

/** One module of a course, with what the course asks of learners there. */
export function CourseModule({ module, onChange, onRemove }: CourseModuleProps) {
  const id = useId()
  const check = (name: "required" | "isLocked") => (
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
  const amount = (name: "dripDays" | "minTimeSpent", max: number) => (
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
    // A group, so that "Required" is read together with the module that it is of.
    <fieldset class="course-module">
      <legend>
        <a href={`/console/modules/${module.type}/${module.module_id}`}>{module.name}</a>{" "}
        <span class="badge">{wordOf("type", module.type)}</span>
      </legend>
      <div class="module-settings">
        {check("required")}
        {check("isLocked")}
        {amount("dripDays", 36_500)}
        {amount("minTimeSpent", 1_000_000)}
        <button type="button" aria-label={t("courses:remove", { name: module.name })} onClick={() => onRemove(module)}>
          {t("remove")}
        </button>
      </div>
    </fieldset>
  )
}
