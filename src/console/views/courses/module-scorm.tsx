import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { DropZone } from "../../ui/drop-zone.tsx"
import { FieldErrors, Form } from "../../ui/form.tsx"
import { ModuleFields, toModuleBody } from "./module-fields.tsx"
import type { ModuleFormProps } from "./module-form.ts"
import { useSaveModule } from "./save-module.ts"

const BYTES_PER_KB = 1024

export function ScormModule({ module, version = "", refetch, onSaved }: ModuleFormProps<"scorm">) {
  const [file, setFile] = useState<File>()
  const headers = { "If-Match": version }
  const save = useSaveModule({
    type: "scorm",
    id: module?.id,
    refetch,
    onSaved,
    create: (body: ReturnType<typeof toModuleBody>) =>
      api.POST("/api/modules/scorm", { body: { ...body, package: file ?? new Blob() } }),
    change: (id, body) => api.PUT("/api/modules/scorm/{id}", { params: { path: { id } }, body, headers }),
  })
  const replace = useChange({
    call: (newPackage: File) =>
      api.POST("/api/modules/scorm/{id}/package", {
        params: { path: { id: module?.id ?? 0 } },
        body: { package: newPackage },
        headers,
      }),
    invalidates: ["/api/modules"],
  })
  const dropZone = (
    <DropZone label={t("courses:scorm.package")} hint={t("courses:scorm.hint")} accept=".zip" onFile={setFile} />
  )
  return (
    <>
      {module && (
        <section class="card" aria-labelledby="package">
          <h2 id="package">{t("courses:scorm.package")}</h2>
          <p>
            {module.scormVersion
              ? t("courses:scorm.current", {
                  version: module.scormVersion,
                  size: number(Math.ceil(module.packageBytes / BYTES_PER_KB)),
                })
              : t("courses:scorm.none")}
          </p>
          <Form
            submit={t("courses:scorm.replace")}
            isReady={file !== undefined}
            extraState={file?.name}
            onSubmit={async () => {
              if (file) await replace.mutateAsync(file)
            }}
          >
            {dropZone}
            <FieldErrors name="package" label={t("courses:scorm.package")} id="package-error" />
          </Form>
        </section>
      )}
      <Form
        submit={module ? t("save") : t("create")}
        extraState={module ? undefined : file?.name}
        onSubmit={(values) => save(toModuleBody(values))}
      >
        {!module && dropZone}
        {!module && <FieldErrors name="package" label={t("courses:scorm.package")} id="package-error" />}
        <ModuleFields module={module} content={t("courses:module.description")} isNameOptional={!module} />
      </Form>
    </>
  )
}
