import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Calendar } from "../../ui/calendar.tsx"
import { Problem } from "../../ui/error-message.tsx"
import { useMonth } from "../../ui/month.ts"

/** Sessions that are read of a month, the most that a page of the API holds. */
const MOST = 500

/** The sessions of the month's classes. */
export function ClassCalendar() {
  const month = useMonth()
  const dates = `${month.from.toISOString()},${new Date(month.until.getTime() - 1).toISOString()}`
  const read = useRead("/api/class/get-class-schedules", {
    params: { query: { page_size: MOST, search_param: { dates } } },
  })
  const sessions = read.data?.classes ?? []
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
      <Problem error={read.error} />
      {sessions.length === MOST && <p class="quiet">{t("classes:calendar.limit", { shown: number(MOST) })}</p>}
      <Calendar caption={t("classes:calendar.title")} month={month} entries={entries} busy={read.isFetching} />
    </>
  )
}
