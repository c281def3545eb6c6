import { Users } from "lucide-preact"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { attendanceLabel } from "../classes/attendance-select.tsx"
import type { ClassTabProps } from "../classes/class-tab.ts"
import {
  type AttendanceAnswer,
  type Attendee,
  MarkBadge,
  nameOf,
  type Session,
  sessionTime,
  sessionTitle,
} from "./attendance-marks.tsx"
import { Roster } from "./attendance-roster.tsx"
import "./teaching.css"

/** The learners of a page, which the roster shows at once. */
const PAGE_SIZE = 100

const columns = ({ sessions, timeZone }: AttendanceAnswer): Column<Attendee>[] => [
  {
    key: "name",
    title: t("teaching:learner"),
    sort: "last_name",
    sticky: true,
    render: (row) => <a href={`/console/users/${row.user_id}`}>{nameOf(row)}</a>,
  },
  {
    key: "status",
    title: t("teaching:status"),
    render: ({ status }) => <Badge status={status}>{attendanceLabel(status)}</Badge>,
  },
  ...sessions.map(
    (session, index): Column<Attendee> => ({
      key: `session-${session.id}`,
      title: sessionTitle(session, timeZone),
      render: ({ attendance }) => <MarkBadge mark={attendance[index]} />,
    }),
  ),
]

/** The last session that has begun, else the first. */
const currentSession = (sessions: readonly Session[]) =>
  sessions.findLast(({ startsAt }) => Date.parse(startsAt) <= Date.now()) ?? sessions[0]

/** Selects one session, or all. */
function SessionSelect({
  sessions,
  timeZone,
  open,
}: Pick<AttendanceAnswer, "sessions" | "timeZone"> & { open: string }) {
  const { change } = useUrlState()
  return (
    <div class="field session-select">
      <label for="session">{t("teaching:session")}</label>
      <select id="session" value={open} onChange={(event) => change({ session: event.currentTarget.value })}>
        {sessions.map((session) => (
          <option key={session.id} value={session.day} selected={session.day === open}>
            {sessionTitle(session, timeZone)}, {sessionTime(session, timeZone)}
          </option>
        ))}
        <option value="all" selected={open === "all"}>
          {t("teaching:sessions.all")}
        </option>
      </select>
    </div>
  )
}

/** The attendance of a class: one session to record it, or all sessions as a grid. */
export default function ClassAttendance({ id }: ClassTabProps) {
  const { query } = useUrlState()
  return (
    <div class={query.session === "all" ? "attendance" : "attendance one-session"}>
      <Listing
        path="/api/class/attendance"
        caption={t("teaching:attendance")}
        query={{ class_id: id, search_param: { status: ["Registered", "Attended", "No Show"] } }}
        size={PAGE_SIZE}
        keyOf={(row) => row.id}
        nameOf={nameOf}
        empty={{
          icon: Users,
          text: t("teaching:attendance.empty"),
          action: { label: t("classes:tab.students"), href: `/classes/${id}?tab=students` },
        }}
        filters={[{ name: "nameOrEmail", label: t("teaching:search") }]}
        columns={(answer) => (query.session === "all" ? columns(answer) : [])}
      >
        {({ sessions, timeZone, records }) => {
          const session = sessions.find(({ day }) => day === query.session) ?? currentSession(sessions)
          const open = query.session === "all" ? "all" : (session?.day ?? "all")
          return (
            <>
              <SessionSelect sessions={sessions} timeZone={timeZone} open={open} />
              {open !== "all" && session && records.length > 0 && (
                <Roster key={session.id} sessionId={session.id} index={sessions.indexOf(session)} attendees={records} />
              )}
              {open === "all" && <p class="quiet">{t("teaching:attendance.about")}</p>}
            </>
          )
        }}
      </Listing>
    </div>
  )
}
