import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { DropZone } from "../../ui/drop-zone.tsx"
import { Faults, Form } from "../../ui/form.tsx"
import { ModuleFields, moduleBody } from "./module-fields.tsx"
import type { ModuleFormProps } from "./module-form.ts"
import { useSaveModule } from "./save-module.ts"

const KIB = 1024

/** A package for a player: uploaded once, and replaced by later ones. */
export function ScormModule({ module, version = "", reread }: ModuleFormProps<"scorm">) {
  const [file, setFile] = useState<File>()
  const headers = { "If-Match": version }
  const save = useSaveModule({
    type: "scorm",
    id: module?.id,
    reread,
    create: (body: ReturnType<typeof moduleBody>) =>
      api.POST("/api/modules/scorm", { body: { ...body, package: file ?? new Blob() } }),
    change: (id, body) => api.PUT("/api/modules/scorm/{id}", { params: { path: { id } }, body, headers }),
  })
  const replace = useChange({
    call: (packed: File) =>
      api.POST("/api/modules/scorm/{id}/package", {
        params: { path: { id: module?.id ?? 0 } },
        body: { package: packed },
        headers,
      }),
    changes: ["/api/modules"],
  })
  const zone = (
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
                  size: number(Math.ceil(module.packageBytes / KIB)),
                })
              : t("courses:scorm.none")}
          </p>
          <Form
            submit={t("courses:scorm.replace")}
            isReady={file !== undefined}
            beside={file?.name}
            onSubmit={async () => {
              if (file) await replace.mutateAsync(file)
            }}
          >
            {zone}
            <Faults name="package" label={t("courses:scorm.package")} id="package-fault" />
          </Form>
        </section>
      )}
      <Form
        submit={module ? t("save") : t("create")}
        beside={module ? undefined : file?.name}
        onSubmit={(values) => save(moduleBody(values))}
      >
        {!module && zone}
        {!module && <Faults name="package" label={t("courses:scorm.package")} id="package-fault" />}
        <ModuleFields module={module} content={t("courses:module.description")} unnamed={!module} />
      </Form>
    </>
  )
}
