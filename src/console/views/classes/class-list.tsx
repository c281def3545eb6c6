import type { RecordOf } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { WallTime } from "../../ui/wall-time.tsx"

type ClassRow = RecordOf<"/api/class/tabularlist">

const HOUR = 3_600_000

/** This hour's beginning: what is asked stays the same while one looks at the answer. */
const thisHour = () => new Date(Math.floor(Date.now() / HOUR) * HOUR).toISOString()

const columns = (): Column<ClassRow>[] => [
  {
    key: "course",
    title: t("live:course"),
    sort: "course_name",
    render: ({ id, course_name, disabled }) => (
      <>
        <a href={`/console/classes/${id}`}>{course_name}</a> {disabled && <span class="badge">{t("live:closed")}</span>}
      </>
    ),
  },
  {
    key: "start",
    title: t("live:start"),
    sort: "start_time",
    render: ({ start_time, timeZone }) => <WallTime value={start_time} zone={timeZone} />,
  },
  {
    key: "end",
    title: t("live:end"),
    render: ({ end_time, timeZone }) => <WallTime value={end_time} zone={timeZone} />,
  },
  { key: "location", title: t("live:location"), render: ({ location }) => location || t("none") },
  { key: "instructor", title: t("live:instructor"), render: ({ instructor }) => instructor },
]

/** All classes, found by what is typed, or by when they start. */
export const ClassList = () => (
  <Listing
    path="/api/class/tabularlist"
    caption={t("nav.classes")}
    columns={columns()}
    keyOf={({ id }) => id}
    empty={t("live:classes.empty")}
    query={{ order_by: { colName: "start_time", direction: "desc" } }}
    filters={[
      { name: "courseName", label: t("live:course") },
      { name: "instructor", label: t("live:instructor") },
      { name: "location", label: t("live:location") },
      {
        name: "dates",
        label: t("live:when"),
        options: [
          { value: "to-come", label: t("live:when.upcoming") },
          { value: "begun", label: t("live:when.started") },
        ],
        toApi: (value) => (value === "begun" ? ["", thisHour()] : [thisHour(), ""]),
      },
    ]}
  />
)
