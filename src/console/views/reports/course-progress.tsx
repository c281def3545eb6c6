import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Chart } from "../../ui/chart.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { toChartSeries, uniqueNames } from "./chart-points.ts"

/** Enrollments by status for each course. */
export function CourseProgress() {
  const overview = useRead("/api/course/reports/overview")
  return (
    <Loaded query={overview}>
      {({ labels: courseNames, totalNotStarted, totalInProgress, totalCompleted }) => {
        const labels = uniqueNames(courseNames)
        const series: [string, number[]][] = [
          [t("status.completed"), totalCompleted],
          [t("status.in-progress"), totalInProgress],
          [t("status.not-started"), totalNotStarted],
        ]
        return (
          <Chart
            title={t("reports:progress.title")}
            description={t("reports:progress.about")}
            kind="stacked bars"
            horizontal
            axis={t("reports:course")}
            labels={labels}
            {...toChartSeries(series, labels)}
            filename="progress-by-course"
          />
        )
      }}
    </Loaded>
  )
}
