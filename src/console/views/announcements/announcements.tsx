import { Megaphone } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { Time } from "../../ui/time.tsx"

type Announcement = RecordOf<"/api/announcement/tabularlist">

export default function Announcements() {
  const [toRemove, setToRemove] = useState<{ rows: readonly Announcement[]; clear: () => void }>()
  const remove = useChange({
    call: (delete_ids: number[]) => api.POST("/api/announcement/delete", { body: { delete_ids } }),
    invalidates: ["/api/announcement", "/api/student/announcements"],
  })
  return (
    <Page
      title={t("nav.announcements")}
      actions={
        <a class="button primary" href="/console/announcements/new">
          {t("announcements:announcement.new")}
        </a>
      }
    >
      <Listing
        path="/api/announcement/tabularlist"
        caption={t("nav.announcements")}
        keyOf={({ id }) => id}
        nameOf={({ heading }) => heading}
        empty={{
          icon: Megaphone,
          text: t("announcements:announcements.empty"),
          action: { label: t("announcements:announcement.new"), href: "/announcements/new" },
        }}
        filters={[{ name: "heading", label: t("announcements:heading") }]}
        columns={[
          {
            key: "heading",
            title: t("announcements:heading"),
            sort: "heading",
            render: ({ id, heading }) => <a href={`/console/announcements/${id}`}>{heading}</a>,
          },
          { key: "audience", title: t("announcements:audience"), render: ({ sent_to }) => sent_to },
          { key: "author", title: t("announcements:author"), render: ({ author }) => author || t("none") },
          {
            key: "created",
            title: t("announcements:created"),
            sort: "created_at",
            render: ({ created_at }) => <Time value={created_at} />,
          },
        ]}
        actions={(rows, clear) => (
          <button type="button" class="danger" onClick={() => setToRemove({ rows, clear })}>
            {t("delete")}
          </button>
        )}
      />
      {toRemove && (
        <ConfirmDialog
          title={t("announcements:announcement.delete")}
          confirm={t("delete")}
          onClose={() => setToRemove(undefined)}
          onConfirm={async () => {
            await remove.mutateAsync(toRemove.rows.map(({ id }) => id))
            toRemove.clear()
          }}
        >
          <p>
            {t("announcements:announcement.delete.text", {
              count: toRemove.rows.length,
              shown: number(toRemove.rows.length),
            })}
          </p>
          <ul>
            {toRemove.rows.map(({ id, heading }) => (
              <li key={id}>{heading}</li>
            ))}
          </ul>
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
    </Page>
  )
}
