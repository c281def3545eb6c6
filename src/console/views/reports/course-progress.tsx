import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Figure } from "../../ui/chart.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { distinct, pointsOf } from "./chart-points.ts"

/** How far learners are, course by course. */
export function CourseProgress() {
  const overview = useRead("/api/course/reports/overview")
  return (
    <Loaded of={overview}>
      {({ labels, totalNotStarted, totalInProgress, totalCompleted }) => {
        const places = distinct(labels)
        const series: [string, number[]][] = [
          [t("status.completed"), totalCompleted],
          [t("status.in-progress"), totalInProgress],
          [t("status.not-started"), totalNotStarted],
        ]
        return (
          <Figure
            title={t("reports:progress.title")}
            about={t("reports:progress.about")}
            kind="stacked bars"
            horizontal
            axis={t("reports:course")}
            places={places}
            {...pointsOf(series, places)}
            filename="progress-by-course"
          />
        )
      }}
    </Loaded>
  )
}
