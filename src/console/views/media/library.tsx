import { Images } from "lucide-preact"
import { useState } from "preact/hooks"
import { announce } from "../../api/announce.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { type MediaRow, Thumbnail } from "../../ui/media/media-dialog.tsx"
import { MEDIA_KINDS } from "../../ui/media/media-kind.ts"
import { formatBytes } from "../../ui/media/upload-row.tsx"
import { Uploads } from "../../ui/media/uploads.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"

const columns = (): Column<MediaRow>[] => [
  { key: "picture", title: t("media:picture"), render: (row) => <Thumbnail media={row} /> },
  {
    key: "name",
    title: t("name"),
    sort: "name",
    render: ({ id, name }) => <a href={`/console/media/${id}`}>{name}</a>,
  },
  { key: "kind", title: t("media:kind"), sort: "kind", render: ({ kind }) => t(`media:kind.${kind}`) },
  { key: "size", title: t("media:size"), sort: "bytes", numeric: true, render: ({ bytes }) => formatBytes(bytes) },
  { key: "used", title: t("media:used"), render: ({ used }) => (used ? t("yes") : t("no")) },
  {
    key: "created",
    title: t("media:uploaded"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
]

/** Deletes the selected files. Those that are used are refused, with their uses. */
function DeleteButton({ rows, clear }: { rows: readonly MediaRow[]; clear: () => void }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const remove = useChange({
    call: () => api.POST("/api/media/delete", { body: { delete_ids: rows.map(({ id }) => id) } }),
    invalidates: ["/api/media"],
  })
  return (
    <>
      <button type="button" onClick={() => setIsConfirming(true)}>
        {t("delete")}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={t("media:delete")}
          confirm={t("delete")}
          onConfirm={async () => {
            await remove.mutateAsync(undefined)
            clear()
          }}
          onClose={() => setIsConfirming(false)}
        >
          <p>{t("media:delete.text", { name: rows.map(({ name }) => name).join(", ") })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** The media library. */
export default function MediaLibrary() {
  return (
    <Page title={t("nav.media")}>
      <Uploads kinds={MEDIA_KINDS} onDone={() => announce(t("media:upload.complete"))} />
      <Listing
        path="/api/media"
        caption={t("nav.media")}
        columns={columns()}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{ icon: Images, text: t("media:empty") }}
        filters={[
          { name: "name", label: t("media:search") },
          {
            name: "kind",
            label: t("media:kind"),
            options: MEDIA_KINDS.map((value) => ({ value, label: t(`media:kind.${value}`) })),
          },
        ]}
        actions={(rows, clear) => <DeleteButton rows={rows} clear={clear} />}
      />
    </Page>
  )
}
