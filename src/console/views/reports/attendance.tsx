import { useReads } from "../../api/queries.ts"
import { dateTime, t } from "../../messages/messages.ts"
import { Figure } from "../../ui/chart.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Select } from "../../ui/form.tsx"
import { useAddress } from "../../ui/url-state.ts"
import { pointsOf } from "./chart-points.ts"

const MONTHS = Array.from({ length: 12 }, (_, at) => at + 1)
/** How many years can be chosen, the one to come included. */
const YEARS = 7

const nameOf = (year: number, month: number) =>
  dateTime(new Date(Date.UTC(year, month - 1)), { month: "long", timeZone: "UTC" })

/** Who came to classes, by the month in which the class starts. */
export function Attendance() {
  const { query, change } = useAddress()
  const now = new Date().getFullYear()
  const asked = Number(query.year)
  const year = Number.isInteger(asked) && asked > 1970 && asked < 3000 ? asked : now
  const years = [...new Set([year, ...Array.from({ length: YEARS }, (_, at) => now + 1 - at)])].sort((a, b) => b - a)
  const months = useReads(
    "/api/class/reports/overview",
    MONTHS.map((month) => ({
      params: { query: { selectedMonth: `${year}-${String(month).padStart(2, "0")}` } },
    })),
  )
  const places = MONTHS.map((month) => nameOf(year, month))
  return (
    <section aria-label={t("reports:attendance.title")}>
      <search class="filters">
        <Select
          name="year"
          label={t("reports:year")}
          value={year}
          options={years.map((one) => ({ value: one, label: String(one) }))}
          onChange={(one) => change({ year: one })}
        />
      </search>
      <Loaded of={months}>
        {(of) => {
          const series: [string, number[]][] = [
            [t("reports:attended"), of.map(({ sumAttended }) => sumAttended)],
            [t("reports:registered"), of.map(({ sumRegistered }) => sumRegistered)],
            [t("reports:no-show"), of.map(({ sumNoShow }) => sumNoShow)],
            [t("reports:canceled"), of.map(({ sumCancelled }) => sumCancelled)],
          ]
          return (
            <Figure
              title={t("reports:attendance.title")}
              about={t("reports:attendance.about")}
              kind="stacked bars"
              axis={t("reports:month")}
              places={places}
              {...pointsOf(series, places)}
              filename="attendance-by-month"
            />
          )
        }}
      </Loaded>
    </section>
  )
}
