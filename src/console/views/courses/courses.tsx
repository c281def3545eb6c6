import { GraduationCap } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { toOptions } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { labelFor, optionsFor } from "./labels.ts"

type Course = RecordOf<"/api/courses/tabularlist">

const columns = (): Column<Course>[] => [
  {
    key: "name",
    title: t("courses:name"),
    sort: "name",
    render: ({ id, name }) => <a href={`/console/courses/${id}`}>{name}</a>,
  },
  {
    key: "status",
    title: t("courses:status"),
    sort: "status",
    render: ({ status }) => <Badge status={status}>{labelFor("status", status)}</Badge>,
  },
  { key: "categories", title: t("courses:categories"), render: ({ categories }) => categories || t("none") },
  { key: "author", title: t("courses:author"), render: ({ author }) => author },
  {
    key: "created",
    title: t("courses:created"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
]

/** All courses that the caller may see. */
export default function Courses() {
  const me = useMe()
  const categories = useRead("/api/categories/course/lookup")
  return (
    <Page
      title={t("courses:courses.title")}
      actions={
        hasAccess(me, "staff") && (
          <a class="button primary" href="/console/courses/new">
            {t("courses:courses.new")}
          </a>
        )
      }
    >
      <Listing
        path="/api/courses/tabularlist"
        caption={t("courses:courses.title")}
        columns={columns()}
        keyOf={({ id }) => id}
        empty={{
          icon: GraduationCap,
          text: t("courses:courses.empty"),
          ...(hasAccess(me, "staff") && { action: { label: t("courses:courses.new"), href: "/courses/new" } }),
        }}
        filters={[
          { name: "courseName", label: t("courses:courses.search") },
          { name: "status", label: t("courses:status"), options: optionsFor("status", ["draft", "publish"]) },
          {
            name: "courseCategoryIds",
            label: t("courses:category"),
            options: toOptions(categories.data),
            toApi: (id) => [Number(id)],
          },
        ]}
      />
    </Page>
  )
}
