import { CalendarDays } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { WallTime } from "../../ui/wall-time.tsx"

type ClassRow = RecordOf<"/api/class/tabularlist">

const HOUR_MS = 3_600_000

/** The start of the current hour, so that the query key stays stable. */
const startOfHour = () => new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS).toISOString()

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

export const ClassList = ({ canCreate }: { canCreate: boolean }) => (
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
    query={{ order_by: { colName: "start_time", direction: "desc" } }}
    filters={[
      { name: "courseName", label: t("classes:course") },
      { name: "instructor", label: t("classes:instructor") },
      { name: "location", label: t("classes:location") },
      {
        name: "dates",
        label: t("classes:when"),
        options: [
          { value: "upcoming", label: t("classes:when.upcoming") },
          { value: "started", label: t("classes:when.started") },
        ],
        toApi: (value) => (value === "started" ? ["", startOfHour()] : [startOfHour(), ""]),
      },
    ]}
  />
)
