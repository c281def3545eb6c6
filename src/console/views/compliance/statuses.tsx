import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"

/** The due statuses of enrollments with a due date, the most urgent first. */
const DUE_STATUSES = ["overdue", "due_soon", "on_track", "completed", "completed_late", "exempt"] as const
type DueStatus = (typeof DUE_STATUSES)[number]

export const dueStatusLabel = (status: DueStatus) => t(`due-status.${status.replaceAll("_", "-")}`)

/** The due status of an enrollment; nothing without a due date. */
export const DueStatusBadge = ({ status }: { status: DueStatus | null }) =>
  status && <Badge status={status}>{dueStatusLabel(status)}</Badge>

export const dueStatusOptions = () => DUE_STATUSES.map((value) => ({ value, label: dueStatusLabel(value) }))
