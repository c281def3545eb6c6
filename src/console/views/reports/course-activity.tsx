import { useRead } from "../../api/queries.ts"
import { dateTime, t } from "../../messages/messages.ts"
import { Figure } from "../../ui/chart.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { useAddress } from "../../ui/url-state.ts"
import { pointsOf } from "./chart-points.ts"

const DAY = 86_400_000
/** A period that is open at one end has as many days as the report has where none are asked for. */
const USUAL_DAYS = 90

const shifted = (day: string, days: number) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY).toISOString().slice(0, 10)

const shown = (day: string) => dateTime(new Date(day), { dateStyle: "medium", timeZone: "UTC" })

/** The first and the last day that the address names; undefined where it names none. */
function periodOf({ from, to }: Record<string, string>): string[] | undefined {
  if (from && to) return [from, to]
  if (from) return [from, shifted(from, USUAL_DAYS - 1)]
  if (to) return [shifted(to, 1 - USUAL_DAYS), to]
  return undefined
}

/** Enrollments, starts and completions day by day: of one course, or of all. */
export function CourseDays({ course }: { course: number | undefined }) {
  const { query } = useAddress()
  const between = periodOf(query)
  const asked = { ...(course !== undefined && { course_id: course }), ...(between && { between }) }
  const report = useRead("/api/course/reports/by-day", { params: { query: asked } })
  return (
    <Loaded of={report}>
      {({ days, enrolled, started, completed, firstDay, lastDay }) => (
        <Figure
          title={t("reports:days.title")}
          about={
            firstDay && lastDay
              ? t("reports:days.about", { first: shown(firstDay), last: shown(lastDay) })
              : t("list.empty")
          }
          kind="lines"
          axis={t("reports:day")}
          places={days}
          {...pointsOf(
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
