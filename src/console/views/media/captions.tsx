import { Captions as CaptionsIcon } from "lucide-preact"
import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { CancelButton, ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { Form, TextArea, TextField } from "../../ui/form.tsx"

interface CaptionsProps {
  file: Schemas["MediaFile"]
  refetch: () => Promise<unknown>
}

function AddDialog({ file, refetch, onClose }: CaptionsProps & { onClose: () => void }) {
  const [content, setContent] = useState("")
  const save = useChange({
    call: ({ language, body }: { language: string; body: Schemas["Captions"] }) =>
      api.PUT("/api/media/{id}/captions/{language}", { params: { path: { id: file.id, language } }, body }),
    invalidates: ["/api/media"],
  })
  return (
    <Dialog title={t("media:captions.add")} onClose={onClose}>
      <Form
        submit={t("save")}
        more={<CancelButton />}
        onSubmit={async (values) => {
          const label = values.optional("label")
          await save.mutateAsync({
            language: values.text("language"),
            body: { content: values.text("content"), ...(label !== undefined && { label }) },
          })
          await refetch()
          onClose()
        }}
      >
        <TextField
          name="language"
          label={t("language")}
          hint={t("media:captions.language.hint")}
          required
          maxLength={35}
          dir="ltr"
          defaultValue={document.documentElement.lang}
        />
        <TextField
          name="label"
          label={t("media:captions.label")}
          hint={t("media:captions.label.hint")}
          maxLength={100}
        />
        <div class="field">
          <label>
            {t("media:captions.file")}
            <input
              type="file"
              accept=".vtt,text/vtt"
              onChange={async ({ currentTarget }) => setContent((await currentTarget.files?.[0]?.text()) ?? "")}
            />
          </label>
        </div>
        <TextArea
          name="content"
          label={t("media:captions.content")}
          hint={t("media:captions.content.hint")}
          rows={8}
          dir="auto"
          required
          value={content}
          onInput={(event) => setContent(event.currentTarget.value)}
        />
      </Form>
    </Dialog>
  )
}

/** The captions of a file, by language. */
export function Captions({ file, refetch }: CaptionsProps) {
  const [isAdding, setIsAdding] = useState(false)
  const [deleting, setDeleting] = useState<string>()
  const remove = useChange({
    call: (language: string) =>
      api.POST("/api/media/{id}/captions/delete", { params: { path: { id: file.id } }, body: { language } }),
    invalidates: ["/api/media"],
  })
  return (
    <section aria-labelledby="captions">
      <h2 id="captions">{t("media:captions")}</h2>
      {file.captions.length === 0 && <EmptyState icon={CaptionsIcon} text={t("media:captions.empty")} />}
      <ul>
        {file.captions.map(({ language, label, url }) => (
          <li key={language}>
            <a href={url}>{label}</a> <span class="quiet">{language}</span>{" "}
            <button
              type="button"
              aria-label={t("media:captions.delete", { language: label })}
              onClick={() => setDeleting(language)}
            >
              {t("delete")}
            </button>
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => setIsAdding(true)}>
        {t("media:captions.add")}
      </button>
      {isAdding && <AddDialog file={file} refetch={refetch} onClose={() => setIsAdding(false)} />}
      {deleting !== undefined && (
        <ConfirmDialog
          title={t("media:captions.delete", { language: deleting })}
          confirm={t("delete")}
          onConfirm={async () => {
            await remove.mutateAsync(deleting)
            await refetch()
          }}
          onClose={() => setDeleting(undefined)}
        >
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
    </section>
  )
}
