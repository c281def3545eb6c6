import type { RecordOf } from "../../../client/index.ts"
import { may, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { choicesOf, wordOf } from "./labels.ts"

type Course = RecordOf<"/api/courses/tabularlist">

const columns = (): Column<Course>[] => [
  {
    key: "name",
    title: t("teaching:name"),
    sort: "name",
    render: ({ id, name }) => <a href={`/console/courses/${id}`}>{name}</a>,
  },
  {
    key: "status",
    title: t("teaching:status"),
    sort: "status",
    render: ({ status }) => <span class="badge">{wordOf("status", status)}</span>,
  },
  { key: "categories", title: t("teaching:categories"), render: ({ categories }) => categories || t("none") },
  { key: "author", title: t("teaching:author"), render: ({ author }) => author },
  {
    key: "created",
    title: t("teaching:created"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
]

/** Every course that the caller may see. */
export default function Courses() {
  const me = useMe()
  const categories = useRead("/api/categories/course/lookup")
  return (
    <Page
      title={t("teaching:courses.title")}
      actions={
        may(me, "staff") && (
          <a class="button primary" href="/console/courses/new">
            {t("teaching:courses.new")}
          </a>
        )
      }
    >
      <Listing
        path="/api/courses/tabularlist"
        caption={t("teaching:courses.title")}
        columns={columns()}
        keyOf={({ id }) => id}
        empty={t("teaching:courses.empty")}
        filters={[
          { name: "courseName", label: t("teaching:courses.search") },
          { name: "status", label: t("teaching:status"), options: choicesOf("status", ["draft", "publish"]) },
          {
            name: "courseCategoryIds",
            label: t("teaching:category"),
            options: (categories.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
            toApi: (id) => [Number(id)],
          },
        ]}
      />
    </Page>
  )
}
