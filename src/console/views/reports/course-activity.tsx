import { useRead } from "../../api/queries.ts"
import { dateTime, t } from "../../messages/messages.ts"
import { Chart } from "../../ui/chart.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { toChartSeries } from "./chart-points.ts"

const DAY_MS = 86_400_000
/** Length of a period with only one end, which is the default of the report. */
const DEFAULT_DAYS = 90

const addDays = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

const formatDate = (day: string) => dateTime(new Date(day), { dateStyle: "medium", timeZone: "UTC" })

/** First and last day in the URL; undefined if there is none. */
function parsePeriod({ from, to }: Record<string, string>): string[] | undefined {
  if (from && to) return [from, to]
  if (from) return [from, addDays(from, DEFAULT_DAYS - 1)]
  if (to) return [addDays(to, 1 - DEFAULT_DAYS), to]
  return undefined
}

/** Enrollments, starts and completions by day, for one course or all. */
export function CourseActivity({ course }: { course: number | undefined }) {
  const { query } = useUrlState()
  const between = parsePeriod(query)
  const filters = { ...(course !== undefined && { course_id: course }), ...(between && { between }) }
  const report = useRead("/api/course/reports/by-day", { params: { query: filters } })
  return (
    <Loaded query={report}>
      {({ days, enrolled, started, completed, firstDay, lastDay }) => (
        <Chart
          title={t("reports:days.title")}
          description={
            firstDay && lastDay
              ? t("reports:days.about", { first: formatDate(firstDay), last: formatDate(lastDay) })
              : t("list.empty")
          }
          kind="lines"
          axis={t("reports:day")}
          labels={days}
          {...toChartSeries(
            [
              [t("reports:enrolled"), enrolled],
              [t("reports:started"), started],
              [t("reports:completed"), completed],
            ],
            days,
          )}
          filename="enrollments-by-day"
        />
      )}
    </Loaded>
  )
}
