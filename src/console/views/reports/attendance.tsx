import { useReads } from "../../api/queries.ts"
import { dateTime, t } from "../../messages/messages.ts"
import { Chart } from "../../ui/chart.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Select } from "../../ui/form.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { toChartSeries } from "./chart-points.ts"

const MONTHS = Array.from({ length: 12 }, (_, index) => index + 1)
/** Years in the select, including next year. */
const YEAR_COUNT = 7

const monthName = (year: number, month: number) =>
  dateTime(new Date(Date.UTC(year, month - 1)), { month: "long", timeZone: "UTC" })

/** Class attendance by the month in which the class starts. */
export function Attendance() {
  const { query, change } = useUrlState()
  const currentYear = new Date().getFullYear()
  const requestedYear = Number(query.year)
  const year =
    Number.isInteger(requestedYear) && requestedYear > 1970 && requestedYear < 3000 ? requestedYear : currentYear
  const years = [...new Set([year, ...Array.from({ length: YEAR_COUNT }, (_, index) => currentYear + 1 - index)])].sort(
    (a, b) => b - a,
  )
  const months = useReads(
    "/api/class/reports/overview",
    MONTHS.map((month) => ({
      params: { query: { selectedMonth: `${year}-${String(month).padStart(2, "0")}` } },
    })),
  )
  const labels = MONTHS.map((month) => monthName(year, month))
  return (
    <section aria-label={t("reports:attendance.title")}>
      <search class="filters">
        <Select
          name="year"
          label={t("reports:year")}
          value={year}
          options={years.map((option) => ({ value: option, label: String(option) }))}
          onChange={(selectedYear) => change({ year: selectedYear })}
        />
      </search>
      <Loaded query={months}>
        {(reports) => {
          const series: [string, number[]][] = [
            [t("reports:attended"), reports.map(({ sumAttended }) => sumAttended)],
            [t("reports:registered"), reports.map(({ sumRegistered }) => sumRegistered)],
            [t("reports:no-show"), reports.map(({ sumNoShow }) => sumNoShow)],
            [t("reports:canceled"), reports.map(({ sumCancelled }) => sumCancelled)],
          ]
          return (
            <Chart
              title={t("reports:attendance.title")}
              description={t("reports:attendance.about")}
              kind="stacked bars"
              axis={t("reports:month")}
              labels={labels}
              {...toChartSeries(series, labels)}
              filename="attendance-by-month"
            />
          )
        }}
      </Loaded>
    </section>
  )
}
