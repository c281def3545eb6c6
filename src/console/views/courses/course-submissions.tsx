import { t } from "../../messages/messages.ts"
import type { CoursePart } from "./course-tab.ts"
import { SubmissionList } from "./submission-list.tsx"

/** What was submitted in a course. */
export const CourseSubmissions = ({ record: course }: CoursePart) => (
  <SubmissionList caption={t("courses:tab.submissions")} courseId={course.id} />
)
