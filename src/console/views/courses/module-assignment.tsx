import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { Form, Select, TextField, type Values } from "../../ui/form.tsx"
import { ModuleFields, toModuleBody } from "./module-fields.tsx"
import type { ModuleFormProps } from "./module-form.ts"
import { useSaveModule } from "./save-module.ts"

const toAssignmentBody = (values: Values) => ({
  ...toModuleBody(values),
  submission_type: values.text("submission_type") === "file" ? ("file" as const) : ("text" as const),
  allowed_filetypes: values
    .text("allowed_filetypes")
    .split(/[\s,]+/)
    .filter(Boolean),
  maxUploadSize: values.number("maxUploadSize") ?? 0,
  totalPoints: values.number("totalPoints") ?? 0,
})

const MAX_FILE_MB = 25

export function AssignmentModule({ module, version = "", refetch, onSaved }: ModuleFormProps<"assignment">) {
  const [type, setType] = useState<string>(module?.submission_type ?? "text")
  const save = useSaveModule({
    type: "assignment",
    id: module?.id,
    refetch,
    onSaved,
    create: (body: ReturnType<typeof toAssignmentBody>) => api.POST("/api/modules/assignment", { body }),
    change: (id, body) =>
      api.PUT("/api/modules/assignment/{id}", { params: { path: { id } }, body, headers: { "If-Match": version } }),
  })
  return (
    <Form submit={module ? t("save") : t("create")} onSubmit={(values) => save(toAssignmentBody(values))}>
      <Select
        onChange={setType}
        name="submission_type"
        label={t("courses:assignment.submission-type")}
        value={module?.submission_type ?? "text"}
        options={[
          { value: "text", label: t("courses:assignment.text") },
          { value: "file", label: t("courses:assignment.files") },
        ]}
      />
      <div class="form-part" hidden={type !== "file"}>
        <TextField
          name="allowed_filetypes"
          required={type === "file"}
          label={t("courses:assignment.file-types")}
          hint={t("courses:assignment.file-types.hint")}
          dir="ltr"
          defaultValue={module?.allowed_filetypes.join(", ")}
        />
        <TextField
          name="maxUploadSize"
          label={t("courses:assignment.max-size")}
          type="number"
          min={0}
          max={MAX_FILE_MB}
          defaultValue={module?.maxUploadSize ?? MAX_FILE_MB}
        />
      </div>
      <TextField
        name="totalPoints"
        label={t("courses:assignment.max-points")}
        type="number"
        min={0}
        max={1_000_000}
        defaultValue={module?.totalPoints ?? 0}
      />
      <ModuleFields module={module} content={t("courses:course.instructions")} />
    </Form>
  )
}
