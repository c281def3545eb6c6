import { t } from "../../messages/messages.ts"
import type { CourseTabProps } from "./course-tab.ts"
import { SubmissionList } from "./submission-list.tsx"

export const CourseSubmissions = ({ record: course }: CourseTabProps) => (
  <SubmissionList caption={t("courses:tab.submissions")} courseId={course.id} />
)
