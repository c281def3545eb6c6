import type { DataOf, RecordOf } from "../../../client/index.ts"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { gradingPath } from "../courses/grading-queue.ts"

export type GradebookRow = RecordOf<"/api/reports/gradebook">
export type GradedModule = DataOf<"/api/reports/gradebook", "get">["modules"][number]
type Grade = NonNullable<GradebookRow["grades"][number]>

/** What a cell says without points, or beside them, and the status that colors it. */
const STATES = {
  passed: "passed",
  failed: "failed",
  "to-grade": "submitted",
  "in-progress": "in progress",
  "not-opened": "",
} as const
type State = keyof typeof STATES

function stateOf(grade: Grade | null): State {
  if (!grade) return "not-opened"
  if (grade.status === "Submitted") return "to-grade"
  if (grade.status === "Completed") return "passed"
  return grade.points === null ? "in-progress" : "failed"
}

const Content = ({ grade, module }: { grade: Grade; module: GradedModule }) => {
  const state = stateOf(grade)
  return (
    <>
      {grade.points !== null && (
        <span class="points">
          {number(grade.points)}
          <span class="quiet">/{number(module.totalPoints)}</span>
        </span>
      )}{" "}
      {(state !== "passed" || grade.points === null) && (
        <Badge status={STATES[state]}>{t(`teaching:grade.${state}`)}</Badge>
      )}
      {state === "passed" && grade.points !== null && <span class="unseen">{t("teaching:grade.passed")}</span>}
    </>
  )
}

/** A learner's grade in a module, with a link to the attempts or the submission. */
export function GradeCell({
  grade,
  module,
  courseId,
}: {
  grade: Grade | null | undefined
  module: GradedModule
  courseId: number
}) {
  if (!grade)
    return (
      <>
        <span class="quiet" aria-hidden>
          –
        </span>
        <span class="unseen">{t("teaching:grade.not-opened")}</span>
      </>
    )
  const content = <Content grade={grade} module={module} />
  if (module.type === "scorm" || stateOf(grade) === "in-progress") return content
  const path = gradingPath(grade.statusRowId, module.type === "quiz", { course: String(courseId) })
  return (
    <a class="grade" href={`/console${path}`}>
      {content}
    </a>
  )
}

/** What the cells show. */
export const GradeLegend = () => (
  <ul class="legend" aria-label={t("teaching:grade.legend")}>
    {(["to-grade", "failed", "in-progress"] as const).map((state) => (
      <li key={state}>
        <Badge status={STATES[state]}>{t(`teaching:grade.${state}`)}</Badge>
      </li>
    ))}
    <li class="quiet">– {t("teaching:grade.not-opened")}</li>
  </ul>
)
