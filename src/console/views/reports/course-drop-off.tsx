import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Figure } from "../../ui/chart.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { distinct, pointsOf } from "./chart-points.ts"

/** Where the learners of a course stop: how they stand in each of its modules, in the course's order. */
export function CourseModules({ course }: { course: number }) {
  const report = useRead("/api/course/reports/modules", { params: { query: { course_id: course } } })
  return (
    <Loaded of={report}>
      {({ modules, learners }) => {
        const places = distinct(modules.map(({ name }) => name))
        return (
          <Figure
            title={t("reports:modules.title")}
            about={t("reports:modules.about", { count: learners, shown: number(learners) })}
            kind="stacked bars"
            horizontal
            axis={t("reports:module")}
            places={places}
            {...pointsOf(
              [
                [t("status.completed"), modules.map(({ completed }) => completed)],
                [t("reports:submitted"), modules.map(({ submitted }) => submitted)],
                [t("status.in-progress"), modules.map(({ inProgress }) => inProgress)],
                [t("status.not-started"), modules.map(({ notStarted }) => notStarted)],
              ],
              places,
            )}
            filename="progress-by-module"
          />
        )
      }}
    </Loaded>
  )
}
