import { Megaphone } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { joinList, number, t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { Time } from "../../ui/time.tsx"

type Announcement = RecordOf<"/api/announcement/tabularlist">

const namesOf = ({ names, has_more }: Announcement["audience"]["courses"]) =>
  joinList(has_more ? [...names, t("announcements:sent-to.others")] : names)

/** Who gets an announcement, such as "Learners in Algebra and Botany in North". */
function audienceText({ rules, audience: { user_count, courses, portals } }: Announcement): string {
  // The courses were deleted.
  if (rules === "specific_course_users" && courses.names.length === 0) return t("none")
  const audience = {
    all: () => t("announcements:audience.all"),
    specific_users: () => t("announcements:sent-to.users", { count: user_count, shown: number(user_count) }),
    specific_course_users: () => t("announcements:sent-to.courses", { courses: namesOf(courses) }),
  }[rules]()
  return portals.names.length === 0
    ? audience
    : t("announcements:sent-to.portals", { audience, portals: namesOf(portals) })
}

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
          { key: "audience", title: t("announcements:audience"), render: audienceText },
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
