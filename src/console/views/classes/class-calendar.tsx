import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Calendar } from "../../ui/calendar.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { useMonth } from "../../ui/month.ts"

/** The maximum page size of the API. */
const MAX_SESSIONS = 500

export function ClassCalendar() {
  const month = useMonth()
  const dates = `${month.from.toISOString()},${new Date(month.until.getTime() - 1).toISOString()}`
  const schedule = useRead("/api/class/get-class-schedules", {
    params: { query: { page_size: MAX_SESSIONS, search_param: { dates } } },
  })
  const sessions = schedule.data?.classes ?? []
  const now = Date.now()
  const entries = sessions.map((session) => {
    const [at, until] = [new Date(session.start_time), new Date(session.end_time)]
    return {
      at,
      until,
      title: session.location ? `${session.course_name} (${session.location})` : session.course_name,
      href: `/console/classes/${session.id}`,
      ...(until.getTime() < now && { tone: "quiet" as const }),
    }
  })
  return (
    <>
      <ErrorMessage error={schedule.error} />
      {sessions.length === MAX_SESSIONS && (
        <p class="quiet">{t("classes:calendar.limit", { shown: number(MAX_SESSIONS) })}</p>
      )}
      <Calendar caption={t("classes:calendar.title")} month={month} entries={entries} busy={schedule.isFetching} />
    </>
  )
}
