import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextArea, TextField } from "../../ui/form.tsx"
import { MediaPlayer } from "../../ui/media/media-player.tsx"
import { formatBytes } from "../../ui/media/upload-row.tsx"
import { Page } from "../../ui/page.tsx"
import { Captions } from "./captions.tsx"

type MediaFile = Schemas["MediaFile"]

interface EditProps {
  file: MediaFile
  version: string
  refetch: () => Promise<unknown>
}

function EditForm({ file, version, refetch }: EditProps) {
  const save = useChange({
    call: (body: Schemas["MediaChanges"]) =>
      api.PUT("/api/media/{id}", { params: { path: { id: file.id } }, body, headers: { "If-Match": version } }),
    invalidates: ["/api/media"],
  })
  const isSpoken = file.kind === "video" || file.kind === "audio"
  return (
    <Form
      submit={t("save")}
      onSubmit={async (values) => {
        const body = {
          name: values.text("name"),
          altText: file.kind === "image" ? values.text("altText") : file.altText,
          transcript: isSpoken ? values.text("transcript") : file.transcript,
        }
        await refetchOnConflict(() => save.mutateAsync(body), refetch)
        await refetch()
      }}
    >
      <TextField name="name" label={t("name")} required maxLength={255} defaultValue={file.name} />
      {file.kind === "image" && (
        <TextField
          name="altText"
          label={t("media:alt")}
          hint={t("media:alt.hint")}
          maxLength={500}
          defaultValue={file.altText}
        />
      )}
      {isSpoken && (
        <TextArea
          name="transcript"
          label={t("media.transcript")}
          hint={t("media:transcript.hint")}
          rows={8}
          dir="auto"
          defaultValue={file.transcript}
        />
      )}
    </Form>
  )
}

/** A file of the media library: how it looks, its texts and its captions. */
export default function MediaFileView() {
  const id = Number(useRoute().params.id)
  const file = useEditableRecord("/api/media/{id}", { params: { path: { id } } })
  const parent = { href: "/console/media", label: t("nav.media") }
  return (
    <Loaded query={file} parent={parent}>
      {({ record, version }) => (
        <Page title={record.name} parent={parent}>
          <p class="quiet">
            {t(`media:kind.${record.kind}`)} · {formatBytes(record.bytes)} ·{" "}
            {t(record.used ? "media:is-used" : "media:is-unused")}
          </p>
          {/* A player does not notice new tracks. */}
          <MediaPlayer key={version} media={record} />
          <p>
            <a class="button" href={`${record.url}?download=true`}>
              {t("download")}
            </a>
          </p>
          <EditForm key={record.id} file={record} version={version} refetch={file.refetch} />
          {(record.kind === "video" || record.kind === "audio") && <Captions file={record} refetch={file.refetch} />}
        </Page>
      )}
    </Loaded>
  )
}
