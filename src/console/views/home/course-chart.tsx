import { t } from "../../messages/messages.ts"
import { Chart } from "../../ui/chart.tsx"
import type { StaffHomeData } from "./activity.tsx"

/** Green, blue and orange. */
const PALETTE = [2, 0, 1]

const SERIES = [
  ["completed", "Completed", "status.completed"],
  ["inProgress", "In Progress", "status.in-progress"],
  ["notStarted", "Not Started", "status.not-started"],
] as const

/** The largest courses by the status of their enrollments. A bar leads to the people that it counts. */
export function CourseChart({ courses }: Pick<StaffHomeData, "courses">) {
  // Courses may have the same name.
  const labels = courses.map(({ name }, index) =>
    courses.findIndex((other) => other.name === name) === index ? name : `${name} (${index + 1})`,
  )
  return (
    <Chart
      title={t("home:courses")}
      description={t("home:courses.about")}
      kind="stacked bars"
      horizontal
      axis={t("home:course")}
      series={SERIES.map(([, , label]) => t(label))}
      palette={PALETTE}
      labels={labels}
      points={SERIES.flatMap(([key, status, label]) =>
        courses.map((course, index) => ({
          series: t(label),
          at: labels[index] ?? course.name,
          value: course[key],
          href: `/courses/${course.courseId}?tab=learners&status=${encodeURIComponent(status)}`,
        })),
      )}
      filename="courses"
    />
  )
}
