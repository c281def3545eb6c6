import "./learner.css"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"

const STATUS_LABELS: Record<string, string> = {
  "Not Started": "status.not-started",
  "In Progress": "status.in-progress",
  Completed: "status.completed",
  Submitted: "learner:status.submitted",
  Accepted: "learner:status.accepted",
  Returned: "learner:status.returned",
  Closed: "learner:status.closed",
  Registered: "learner:status.registered",
  Attended: "learner:status.attended",
  "No Show": "learner:status.no-show",
  Cancelled: "learner:status.canceled",
}

/** The label of a status of the API. */
export const statusLabel = (status: string) => (STATUS_LABELS[status] ? t(STATUS_LABELS[status]) : status)

export const StatusBadge = ({ status }: { status: string }) => <Badge status={status}>{statusLabel(status)}</Badge>

/** Options to filter enrollments by status. */
export const enrollmentStatusOptions = () =>
  ["Not Started", "In Progress", "Completed"].map((value) => ({ value, label: statusLabel(value) }))

/** URL of an enrolled course, or of one of its modules. */
export const courseUrl = (courseId: number, registrationId: number, moduleId?: number) =>
  `/console/learning/${courseId}/${registrationId}${moduleId === undefined ? "" : `?module=${moduleId}`}`

/** Instead of the id of a module: the lesson to continue with. */
export const CONTINUE = "continue"

/** URL of the lesson to continue with. */
export const continueUrl = (courseId: number, registrationId: number) =>
  `${courseUrl(courseId, registrationId)}?module=${CONTINUE}`

/** Queries to refetch after progress in a course. */
export const PROGRESS_QUERIES = [
  "/api/me/home",
  "/api/course/modules",
  "/api/users/enrolled-courses",
  "/api/user/dashboard/statistics",
  "/api/user-certificates/{id}",
] as const
