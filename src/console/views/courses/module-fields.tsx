import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { CheckBox, Choices, Select, TextField, toOptions, type Values } from "../../ui/form.tsx"
import { RichTextField } from "../../ui/rich-text-field.tsx"

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
  /** Label of the content field. */
  content: string
  /** The name may be empty: a package has its own title. */
  isNameOptional?: boolean
}

/** The fields of all module types. */
export function ModuleFields(props: ModuleFieldsProps) {
  const categories = useRead("/api/categories/module/lookup")
  return <Loaded query={categories}>{(moduleCategories) => <Fields {...props} categories={moduleCategories} />}</Loaded>
}

type FieldsProps = ModuleFieldsProps & { categories: readonly { id: number; name: string }[] }

function Fields({ module, content, isNameOptional, categories }: FieldsProps) {
  return (
    <>
      <TextField
        name="name"
        label={t("courses:name")}
        required={!isNameOptional}
        maxLength={100}
        {...(isNameOptional && { hint: t("courses:module.name.hint") })}
        defaultValue={module?.name}
      />
      <RichTextField name="content" label={content} value={module?.content ?? ""} />
      <details class="more">
        <summary>{t("courses:module.more")}</summary>
        <div class="form-part">
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
            options={toOptions(categories)}
            values={module?.categoryIds ?? []}
          />
        </div>
      </details>
    </>
  )
}

/** The request fields of all module types. */
export const toModuleBody = (values: Values) => ({
  name: values.text("name"),
  content: values.text("content"),
  isLocked: values.checked("isLocked"),
  estimatedCompletion: values.number("estimatedCompletion") ?? 0,
  estimationCompletedUnit: values.text("estimationCompletedUnit") === "hour" ? ("hour" as const) : ("minutes" as const),
  icon: values.text("icon"),
  categoryIds: values.all("categoryIds").map(Number),
})
