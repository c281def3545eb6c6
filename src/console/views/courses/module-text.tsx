import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { Form } from "../../ui/form.tsx"
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
  return (
    <Form submit={module ? t("save") : t("create")} onSubmit={(values) => save(toModuleBody(values))}>
      <ModuleFields module={module} content={t("courses:module.text")} />
    </Form>
  )
}
