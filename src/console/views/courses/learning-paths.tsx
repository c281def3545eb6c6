import { Route } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { labelFor, optionsFor, PATH_TYPES } from "./labels.ts"

type Path = RecordOf<"/api/learningpath/tabularlist">

const columns = (): Column<Path>[] => [
  {
    key: "name",
    title: t("courses:name"),
    sort: "name",
    render: ({ id, name }) => <a href={`/console/learning-paths/${id}`}>{name}</a>,
  },
  {
    key: "type",
    title: t("courses:path.visibility"),
    sort: "type",
    render: ({ type }) => <Badge>{labelFor("path", type)}</Badge>,
  },
  {
    key: "courses",
    title: t("courses:courses.title"),
    numeric: true,
    sort: "totalLPCourses",
    render: ({ totalLPCourses }) => number(totalLPCourses),
  },
  {
    key: "minutes",
    title: t("courses:course.minutes"),
    numeric: true,
    sort: "estimatedMinutes",
    render: ({ estimatedMinutes }) => number(estimatedMinutes),
  },
  {
    key: "created",
    title: t("courses:created"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
]

export default function LearningPaths() {
  const me = useMe()
  return (
    <Page
      title={t("courses:paths.title")}
      actions={
        hasAccess(me, "staff") && (
          <a class="button primary" href="/console/learning-paths/new">
            {t("courses:paths.new")}
          </a>
        )
      }
    >
      <Listing
        path="/api/learningpath/tabularlist"
        caption={t("courses:paths.title")}
        columns={columns()}
        keyOf={({ id }) => id}
        empty={{
          icon: Route,
          text: t("courses:paths.empty"),
          ...(hasAccess(me, "staff") && { action: { label: t("courses:paths.new"), href: "/learning-paths/new" } }),
        }}
        filters={[
          { name: "name", label: t("courses:name") },
          { name: "type", label: t("courses:path.visibility"), options: optionsFor("path", PATH_TYPES) },
        ]}
      />
    </Page>
  )
}
