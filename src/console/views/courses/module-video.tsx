import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { Form, TextField, type Values } from "../../ui/form.tsx"
import { MediaField } from "../../ui/media/media-field.tsx"
import { ModuleFields, toModuleBody } from "./module-fields.tsx"
import type { ModuleFormProps } from "./module-form.ts"
import { useSaveModule } from "./save-module.ts"

const toVideoBody = (values: Values) => ({
  ...toModuleBody(values),
  videoUrl: values.text("videoUrl"),
  mediaId: values.number("mediaId") ?? null,
  videoSeconds: values.number("videoSeconds") ?? 0,
})

export function VideoModule({ module, version = "", refetch, onSaved }: ModuleFormProps<"video">) {
  const save = useSaveModule({
    type: "video",
    id: module?.id,
    refetch,
    onSaved,
    create: (body: ReturnType<typeof toVideoBody>) => api.POST("/api/modules/video", { body }),
    change: (id, body) =>
      api.PUT("/api/modules/video/{id}", { params: { path: { id } }, body, headers: { "If-Match": version } }),
  })
  return (
    <Form submit={module ? t("save") : t("create")} onSubmit={(values) => save(toVideoBody(values))}>
      <MediaField
        name="mediaId"
        label={t("courses:video.media")}
        kinds={["video", "audio", "pdf"]}
        media={module?.media}
      />
      <p class="quiet">{t("courses:video.media.hint")}</p>
      <TextField
        name="videoUrl"
        label={t("courses:video.url")}
        maxLength={2000}
        dir="ltr"
        defaultValue={module?.videoUrl ?? ""}
      />
      <TextField
        name="videoSeconds"
        label={t("courses:video.seconds")}
        type="number"
        min={0}
        max={1_000_000}
        defaultValue={module?.videoSeconds ?? 0}
      />
      <ModuleFields module={module} content={t("courses:module.description")} />
    </Form>
  )
}
