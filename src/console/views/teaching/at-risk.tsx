import { t } from "../../messages/messages.ts"
import type { CourseTabProps } from "../courses/course-tab.ts"
import { AtRiskList } from "./at-risk-list.tsx"
import "./teaching.css"

/** The learners at risk in a course. */
export default function AtRisk({ record: course }: CourseTabProps) {
  return (
    <>
      <p class="quiet">{t("teaching:at-risk.about")}</p>
      <AtRiskList courseId={course.id} />
    </>
  )
}
