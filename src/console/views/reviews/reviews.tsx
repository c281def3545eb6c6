import { Star } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { CourseLink } from "../../ui/course-link.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { Time } from "../../ui/time.tsx"

type Review = RecordOf<"/api/review/tabularlist">

const MAX_RATING = 5
const RATINGS = Array.from({ length: MAX_RATING }, (_, i) => ({ value: i + 1, label: number(i + 1) }))

/** What learners say about courses. Staff remove what does not belong there. */
export default function Reviews() {
  const [removed, setRemoved] = useState<Review[]>()
  const remove = useChange({
    call: (delete_ids: number[]) => api.POST("/api/review/delete", { body: { delete_ids } }),
    invalidates: ["/api/review"],
  })
  return (
    <Page title={t("nav.reviews")}>
      <Listing
        path="/api/review/tabularlist"
        caption={t("nav.reviews")}
        keyOf={({ id }) => id}
        nameOf={({ userName }) => userName}
        empty={{ icon: Star, text: t("reviews:empty"), action: { label: t("nav.courses"), href: "/courses" } }}
        filters={[{ name: "rating", label: t("reviews:rating"), options: RATINGS, toApi: Number }]}
        columns={[
          {
            key: "user",
            title: t("reviews:user"),
            render: ({ userId, userName }) => <a href={`/console/users/${userId}`}>{userName}</a>,
          },
          {
            key: "course",
            title: t("reviews:course"),
            sort: "courseId",
            render: ({ courseId }) => <CourseLink id={courseId} />,
          },
          {
            key: "rating",
            title: t("reviews:rating"),
            sort: "rating",
            numeric: true,
            render: ({ rating }) => number(rating),
          },
          { key: "text", title: t("reviews:text"), render: ({ text }) => <span dir="auto">{text}</span> },
          {
            key: "created",
            title: t("reviews:created"),
            sort: "created_at",
            render: ({ createdAt }) => <Time value={createdAt} />,
          },
        ]}
        actions={(rows, clear) => (
          <>
            <button type="button" class="danger" onClick={() => setRemoved([...rows])}>
              {t("delete")}
            </button>
            {removed && (
              <ConfirmDialog
                title={t("reviews:delete")}
                confirm={t("delete")}
                onConfirm={async () => {
                  await remove.mutateAsync(removed.map(({ id }) => id))
                  clear()
                }}
                onClose={() => setRemoved(undefined)}
              >
                <p>{t("reviews:delete.text")}</p>
              </ConfirmDialog>
            )}
          </>
        )}
      />
    </Page>
  )
}
