import { CalendarDays } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { currentMinute } from "../../ui/time.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { WallTime } from "../../ui/wall-time.tsx"

type ClassRow = RecordOf<"/api/class/tabularlist">

const STARTED = "started"

const columns = (): Column<ClassRow>[] => [
  {
    key: "course",
    title: t("classes:course"),
    sort: "course_name",
    render: ({ id, course_name, disabled }) => (
      <>
        <a href={`/console/classes/${id}`}>{course_name}</a> {disabled && <Badge>{t("classes:closed")}</Badge>}
      </>
    ),
  },
  {
    key: "start",
    title: t("classes:start"),
    sort: "start_time",
    render: ({ start_time, timeZone }) => <WallTime value={start_time} zone={timeZone} />,
  },
  {
    key: "end",
    title: t("classes:end"),
    render: ({ end_time, timeZone }) => <WallTime value={end_time} zone={timeZone} />,
  },
  { key: "location", title: t("classes:location"), render: ({ location }) => location || t("none") },
  { key: "instructor", title: t("classes:instructor"), render: ({ instructor }) => instructor },
]

export function ClassList({ canCreate }: { canCreate: boolean }) {
  const { dates = STARTED } = useUrlState().query
  const now = currentMinute().toISOString()
  return (
    <Listing
      path="/api/class/tabularlist"
      caption={t("nav.classes")}
      columns={columns()}
      keyOf={({ id }) => id}
      empty={{
        icon: CalendarDays,
        text: t("classes:classes.empty"),
        ...(canCreate && { action: { label: t("classes:class.new"), href: "/classes/new" } }),
      }}
      query={{ order_by: { colName: "start_time", direction: dates === STARTED ? "desc" : "asc" } }}
      filters={[
        { name: "courseName", label: t("classes:course") },
        { name: "instructor", label: t("classes:instructor") },
        { name: "location", label: t("classes:location") },
        {
          name: "dates",
          label: t("classes:when"),
          options: [
            { value: "upcoming", label: t("classes:when.upcoming") },
            { value: STARTED, label: t("classes:when.started") },
          ],
          toApi: (value) => (value === STARTED ? ["", now] : [now, ""]),
        },
      ]}
    />
  )
}
