import { CalendarDays } from "lucide-preact"
import "./learner.css"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Calendar, type CalendarEntry } from "../../ui/calendar.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { Listing } from "../../ui/listing.tsx"
import { useMonth } from "../../ui/month.ts"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { WallTime } from "../../ui/wall-time.tsx"
import type { EnrolledClass, EnrolledSession as Session } from "./enrolled-class.ts"
import { StatusBadge, statusLabel } from "./shared.tsx"

const ATTENDANCE_STATUSES = ["Registered", "Attended", "No Show", "Cancelled"]

const columns = (): Column<EnrolledClass>[] => [
  {
    key: "title",
    title: t("learner:class"),
    sort: "title",
    render: ({ id, title }) => <a href={`/console/my-classes/${id}`}>{title}</a>,
  },
  {
    key: "start",
    title: t("learner:starts"),
    sort: "start",
    render: ({ start, timeZone }) => <WallTime value={start} zone={timeZone} />,
  },
  {
    key: "end",
    title: t("learner:ends"),
    sort: "end",
    render: ({ end, timeZone }) => <WallTime value={end} zone={timeZone} />,
  },
  { key: "location", title: t("learner:location"), render: ({ location }) => location || t("learner:online") },
  {
    key: "calendar",
    title: t("learner:calendar-file"),
    render: ({ title, add_calendar_link }) => (
      <a href={add_calendar_link} download aria-label={t("learner:calendar-file.of", { name: title })}>
        {t("download")}
      </a>
    ),
  },
  {
    key: "status",
    title: t("learner:status"),
    sort: "status",
    render: ({ status }) => <StatusBadge status={status} />,
  },
]

/** All classes of the caller as a list. */
const ClassList = () => (
  <>
    <Listing
      path="/api/users/enrolled-classes"
      caption={t("nav.my-classes")}
      columns={columns()}
      keyOf={({ id }) => id}
      filters={[
        {
          name: "status",
          label: t("learner:status"),
          options: ATTENDANCE_STATUSES.map((value) => ({ value, label: statusLabel(value) })),
          toApi: (status) => [status],
        },
      ]}
      empty={{
        icon: CalendarDays,
        text: t("learner:classes.none"),
        action: { label: t("learner:library.title"), href: "/learning/library" },
      }}
    />
  </>
)

const TONE_BY_STATUS: Partial<Record<Session["status"], NonNullable<CalendarEntry["tone"]>>> = {
  Attended: "good",
  Cancelled: "quiet",
  "No Show": "danger",
}

const toCalendarEntry = ({
  registrationId,
  title,
  status,
  start_time,
  end_time,
  location,
}: Session): CalendarEntry => ({
  at: new Date(start_time),
  until: new Date(end_time),
  title: [title, location || t("learner:online"), ...(status === "Registered" ? [] : [statusLabel(status)])].join(
    " · ",
  ),
  href: `/console/my-classes/${registrationId}`,
  ...(TONE_BY_STATUS[status] && { tone: TONE_BY_STATUS[status] }),
})

/** The sessions of a month as a calendar. */
function SessionCalendar() {
  const month = useMonth()
  const dates = [month.from.toISOString(), new Date(month.until.getTime() - 1).toISOString()]
  const sessions = useRead("/api/users/class-sessions", { params: { query: { dates } } })
  return (
    <>
      <ErrorMessage error={sessions.error} />
      <Calendar
        caption={t("nav.my-classes")}
        month={month}
        entries={(sessions.data?.sessions ?? []).map(toCalendarEntry)}
        busy={sessions.isFetching}
      />
    </>
  )
}

export default function MyClasses() {
  const { query } = useUrlState()
  const open = query.tab === "list" ? "list" : "month"
  return (
    <Page title={t("nav.my-classes")}>
      <Tabs
        label={t("nav.my-classes")}
        tabs={[
          { name: "month", title: t("learner:classes.calendar") },
          { name: "list", title: t("learner:classes.list") },
        ]}
        open={open}
      />
      {open === "month" ? <SessionCalendar /> : <ClassList />}
    </Page>
  )
}
