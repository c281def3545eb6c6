import { useMe } from "../../api/me.tsx"
import { dateTime, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { parseDate } from "../../ui/time.tsx"

/** The due statuses of enrollments with a due date, the most urgent first. */
const DUE_STATUSES = ["overdue", "due_soon", "on_track", "completed", "completed_late", "exempt"] as const
type DueStatus = (typeof DUE_STATUSES)[number]

export const dueStatusLabel = (status: DueStatus) => t(`due-status.${status.replaceAll("_", "-")}`)

/** The due status of an enrollment; nothing without a due date. */
export const DueStatusBadge = ({ status }: { status: DueStatus | null }) =>
  status && <Badge status={status}>{dueStatusLabel(status)}</Badge>

export const dueStatusOptions = () => DUE_STATUSES.map((value) => ({ value, label: dueStatusLabel(value) }))

/** The due day of the user's own enrollment with its status; nothing without a due date. */
export function OwnDueDate({ dueAt, status }: { dueAt: string | null; status: DueStatus | null }) {
  const me = useMe()
  const due = parseDate(dueAt)
  if (!due || !status) return null
  // A due date is the end of a day in the user's time zone, which need not be the browser's.
  const day = dateTime(due, { dateStyle: "medium", timeZone: me.timeZone ?? me.academyTimeZone })
  return (
    <p class="due">
      {t("due-on")} <time dateTime={due.toISOString()}>{day}</time> <DueStatusBadge status={status} />
    </p>
  )
}
