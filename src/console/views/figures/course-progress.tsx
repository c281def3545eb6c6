import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Figure } from "../../ui/figure.tsx"
import { Loaded } from "../../ui/problem.tsx"

/** How far learners are, course by course. */
export function CourseProgress() {
  const overview = useRead("/api/course/reports/overview")
  return (
    <Loaded of={overview}>
      {({ labels, totalNotStarted, totalInProgress, totalCompleted }) => {
        const series = [
          { name: t("figures:completed"), counts: totalCompleted },
          { name: t("figures:in-progress"), counts: totalInProgress },
          { name: t("figures:not-started"), counts: totalNotStarted },
        ]
        return (
          <Figure
            title={t("figures:progress.title")}
            about={t("figures:progress.about")}
            kind="stacked bars"
            horizontal
            axis={t("figures:course")}
            series={series.map(({ name }) => name)}
            places={labels}
            points={series.flatMap(({ name, counts }) =>
              counts.map((value, at) => ({ series: name, at: labels[at] ?? "", value })),
            )}
            filename="progress-by-course"
          />
        )
      }}
    </Loaded>
  )
}
