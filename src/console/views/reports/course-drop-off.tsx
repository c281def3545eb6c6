import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Chart } from "../../ui/chart.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { toChartSeries, uniqueNames } from "./chart-points.ts"

/** Learners by status for each module of a course, in course order. */
export function CourseDropOff({ course }: { course: number }) {
  const report = useRead("/api/course/reports/modules", { params: { query: { course_id: course } } })
  return (
    <Loaded query={report}>
      {({ modules, learners }) => {
        const labels = uniqueNames(modules.map(({ name }) => name))
        return (
          <Chart
            title={t("reports:modules.title")}
            description={t("reports:modules.about", { count: learners, shown: number(learners) })}
            kind="stacked bars"
            horizontal
            axis={t("reports:module")}
            labels={labels}
            {...toChartSeries(
              [
                [t("status.completed"), modules.map(({ completed }) => completed)],
                [t("reports:submitted"), modules.map(({ submitted }) => submitted)],
                [t("status.in-progress"), modules.map(({ inProgress }) => inProgress)],
                [t("status.not-started"), modules.map(({ notStarted }) => notStarted)],
              ],
              labels,
            )}
            filename="progress-by-module"
          />
        )
      }}
    </Loaded>
  )
}
