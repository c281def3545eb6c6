import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { Form } from "../../ui/form.tsx"
import { useFormDraft } from "../../ui/form-draft.tsx"
import { ModuleFields, toModuleBody } from "./module-fields.tsx"
import type { ModuleFormProps } from "./module-form.ts"
import { useSaveModule } from "./save-module.ts"

export function TextModule({ module, version = "", refetch, onSaved }: ModuleFormProps<"text">) {
  const save = useSaveModule({
    type: "text",
    id: module?.id,
    refetch,
    onSaved,
    create: (body: ReturnType<typeof toModuleBody>) => api.POST("/api/modules/text", { body }),
    change: (id, body) =>
      api.PUT("/api/modules/text/{id}", { params: { path: { id } }, body, headers: { "If-Match": version } }),
  })
  const draft = useFormDraft({ name: `text/${module?.id ?? "new"}`, version, read: toModuleBody })
  const shown = draft.restored ? { ...module, ...draft.restored } : module
  return (
    <Form
      submit={module ? t("save") : t("create")}
      onSubmit={async (values) => {
        await save(toModuleBody(values))
        draft.clear()
      }}
      {...draft.formProps}
    >
      {draft.notice}
      <ModuleFields key={draft.key} module={shown} content={t("courses:module.text")} />
    </Form>
  )
}
