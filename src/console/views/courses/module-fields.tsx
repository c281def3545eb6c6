import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { CheckBox, Choices, Select, TextField, type Values } from "../../ui/form.tsx"
import { HtmlField } from "../../ui/html-field.tsx"

interface ModuleFieldsProps {
  module:
    | {
        name: string
        content: string
        icon: string
        isLocked: boolean
        estimatedCompletion: number
        estimationCompletedUnit: "minutes" | "hour"
        categoryIds: number[]
      }
    | undefined
  /** It cannot be left out. */
  contentRequired?: boolean
  /** What its HTML is called: the text itself, instructions. */
  content: string
  /** The name may be left out: a package has one of its own. */
  unnamed?: boolean
}

/** What every module has. */
export function ModuleFields(props: ModuleFieldsProps) {
  const categories = useRead("/api/categories/module/lookup")
  return <Loaded of={categories}>{(known) => <Fields {...props} categories={known} />}</Loaded>
}

type FieldsProps = ModuleFieldsProps & { categories: readonly { id: number; name: string }[] }

function Fields({ module, content, contentRequired = false, unnamed, categories }: FieldsProps) {
  return (
    <>
      <TextField
        name="name"
        label={t("courses:name")}
        required={!unnamed}
        maxLength={100}
        {...(unnamed && { hint: t("courses:module.name.hint") })}
        defaultValue={module?.name}
      />
      <HtmlField name="content" label={content} value={module?.content ?? ""} rows={14} required={contentRequired} />
      <CheckBox name="isLocked" label={t("courses:module.locked")} defaultChecked={module?.isLocked ?? false} />
      <TextField
        name="estimatedCompletion"
        label={t("courses:module.duration")}
        type="number"
        min={0}
        max={100_000}
        defaultValue={module?.estimatedCompletion ?? 0}
      />
      <Select
        name="estimationCompletedUnit"
        label={t("courses:module.duration-unit")}
        value={module?.estimationCompletedUnit ?? "minutes"}
        options={[
          { value: "minutes", label: t("courses:unit.minutes") },
          { value: "hour", label: t("courses:unit.hours") },
        ]}
      />
      <TextField
        name="icon"
        label={t("courses:module.icon")}
        hint={t("courses:module.icon.hint")}
        maxLength={100}
        dir="ltr"
        defaultValue={module?.icon}
      />
      <Choices
        name="categoryIds"
        label={t("courses:categories")}
        options={categories.map(({ id, name }) => ({ value: id, label: name }))}
        values={module?.categoryIds ?? []}
      />
    </>
  )
}

/** What every module has, as the API takes it. */
export const moduleBody = (values: Values) => ({
  name: values.text("name"),
  content: values.text("content"),
  isLocked: values.checked("isLocked"),
  estimatedCompletion: values.number("estimatedCompletion") ?? 0,
  estimationCompletedUnit: values.text("estimationCompletedUnit") === "hour" ? ("hour" as const) : ("minutes" as const),
  icon: values.text("icon"),
  categoryIds: values.all("categoryIds").map(Number),
})
