import { Trash2 } from "lucide-preact"
import { useId } from "preact/hooks"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import type { Options } from "../../ui/form.tsx"
import { CONDITION_TYPES, type ConditionDraft, type ConditionType } from "./audience-draft.ts"
import { RecordPicker } from "./record-picker.tsx"

const FIELD_TESTS = ["equal", "not_equal", "one_of", "before", "after", "empty", "not_empty"] as const
const ROLES = ["general", "group_admin", "portal_admin", "staff", "admin", "owner"] as const

interface ConditionFieldsProps {
  condition: ConditionDraft
  /** Whether the condition can include people: everyone is already included otherwise. */
  canInclude: boolean
  onChange: (condition: ConditionDraft) => void
  onRemove: () => void
}

interface PlainSelectProps {
  label: string
  value: string
  options: Options
  onChange: (value: string) => void
}

/** A select that is part of the state of the view, not a field of the form. */
function PlainSelect({ label, value, options, onChange }: PlainSelectProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  )
}

function PlainInput(props: { label: string; type: string; value: string; onChange: (value: string) => void }) {
  const { label, type, value, onChange } = props
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input id={id} type={type} value={value} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    </div>
  )
}

function RoleFields({ condition, onChange }: Pick<ConditionFieldsProps, "condition" | "onChange">) {
  const id = useId()
  const { roles } = condition
  return (
    <fieldset class="choices">
      <legend>{t("compliance:condition.role")}</legend>
      {ROLES.map((role) => (
        <div class="check" key={role}>
          <input
            type="checkbox"
            id={`${id}-${role}`}
            checked={roles.includes(role)}
            onChange={({ currentTarget: { checked } }) =>
              onChange({ ...condition, roles: checked ? [...roles, role] : roles.filter((other) => other !== role) })
            }
          />
          <label for={`${id}-${role}`}>{t(`role.${role}`)}</label>
        </div>
      ))}
    </fieldset>
  )
}

function CustomFieldFields({ condition, onChange }: Pick<ConditionFieldsProps, "condition" | "onChange">) {
  const fields = useRead("/api/users/customUserFields")
  const options = (fields.data?.fields ?? []).map(({ userMetaKey, label }) => ({ value: userMetaKey, label }))
  const { field, test, value } = condition
  const isDate = test === "before" || test === "after"
  return (
    <div class="filters">
      <PlainSelect
        label={t("compliance:condition.field")}
        value={field}
        options={[{ value: "", label: t("compliance:choose") }, ...options]}
        onChange={(key) => onChange({ ...condition, field: key })}
      />
      <PlainSelect
        label={t("compliance:test")}
        value={test}
        options={FIELD_TESTS.map((name) => ({ value: name, label: t(`compliance:test.${name}`) }))}
        onChange={(name) => onChange({ ...condition, test: name })}
      />
      {test !== "empty" && test !== "not_empty" && (
        <PlainInput
          label={t(test === "one_of" ? "compliance:values" : "compliance:value")}
          type={isDate ? "date" : "text"}
          value={value}
          onChange={(text) => onChange({ ...condition, value: text })}
        />
      )}
    </div>
  )
}

/** The values of a condition, by its type. */
function ValueFields({ condition, onChange }: Pick<ConditionFieldsProps, "condition" | "onChange">) {
  const picker = {
    name: "audience",
    ids: condition.ids,
    onSelect: (ids: readonly number[]) => onChange({ ...condition, ids }),
    toChoice: ({ id, name }: { id: number; name: string }) => ({ id, name }),
  }
  switch (condition.type) {
    case "group":
      return (
        <RecordPicker
          {...picker}
          label={t("compliance:groups")}
          path="/api/group/tabularlist"
          record="/api/group/{id}"
          searchBy="name"
        />
      )
    case "portal":
      return (
        <RecordPicker
          {...picker}
          label={t("compliance:portals")}
          path="/api/portal/tabularlist"
          record="/api/portal/{id}"
          searchBy="name"
        />
      )
    case "category":
      return (
        <RecordPicker
          {...picker}
          label={t("compliance:categories")}
          path="/api/usercategory/tabularlist"
          record="/api/category/{id}"
          searchBy="categoryName"
        />
      )
    case "membership":
      return (
        <RecordPicker
          {...picker}
          label={t("compliance:memberships")}
          path="/api/membership/tabularlist"
          record="/api/membership/{id}"
          searchBy="name"
        />
      )
    case "role":
      return <RoleFields condition={condition} onChange={onChange} />
    case "field":
      return <CustomFieldFields condition={condition} onChange={onChange} />
    default:
      return (
        <div class="filters">
          <PlainInput
            label={t("compliance:joined.after")}
            type="date"
            value={condition.after}
            onChange={(after) => onChange({ ...condition, after })}
          />
          <PlainInput
            label={t("compliance:joined.before")}
            type="date"
            value={condition.before}
            onChange={(before) => onChange({ ...condition, before })}
          />
        </div>
      )
  }
}

/** One condition of an audience. */
export function ConditionFields({ condition, canInclude, onChange, onRemove }: ConditionFieldsProps) {
  const isType = (text: string): text is ConditionType => (CONDITION_TYPES as readonly string[]).includes(text)
  return (
    <li class="card">
      <div class="filters">
        <PlainSelect
          label={t("compliance:people")}
          value={condition.isExcluded ? "exclude" : "include"}
          options={(canInclude ? ["include", "exclude"] : ["exclude"]).map((value) => ({
            value,
            label: t(`compliance:${value}`),
          }))}
          onChange={(value) => onChange({ ...condition, isExcluded: value === "exclude" })}
        />
        <PlainSelect
          label={t("compliance:by")}
          value={condition.type}
          options={CONDITION_TYPES.map((value) => ({ value, label: t(`compliance:condition.${value}`) }))}
          onChange={(type) => isType(type) && onChange({ ...condition, type, ids: [] })}
        />
        <button type="button" onClick={onRemove}>
          <Trash2 size={16} aria-hidden /> {t("remove")}
        </button>
      </div>
      <ValueFields key={condition.type} condition={condition} onChange={onChange} />
    </li>
  )
}
