// The statuses of records. Columns, schemas and SQL are made from these constants, so a status is spelled in one place.

type Values<T> = T[keyof T]

/** The values of a status, as the tuple that a column's `enum` and `z.enum` take. */
export const valuesOf = <T extends Record<string, string>>(status: T) =>
  Object.values(status) as [Values<T>, ...Values<T>[]]

export const EnrollmentStatus = {
  NotStarted: "Not Started",
  InProgress: "In Progress",
  Completed: "Completed",
} as const
export type EnrollmentStatus = Values<typeof EnrollmentStatus>

/**
 * Where an enrollment stands with its due date. Overdue: the grace period has passed. Exempt: the learner need not
 * complete this cycle.
 */
export const DueStatus = {
  NoDueDate: "no_due_date",
  OnTrack: "on_track",
  DueSoon: "due_soon",
  Overdue: "overdue",
  Completed: "completed",
  CompletedLate: "completed_late",
  Exempt: "exempt",
} as const
export type DueStatus = Values<typeof DueStatus>

/** Submitted: an assignment that waits for its evaluation. */
export const ModuleStatus = {
  NotStarted: "Not Started",
  InProgress: "In Progress",
  Submitted: "Submitted",
  Completed: "Completed",
} as const
export type ModuleStatus = Values<typeof ModuleStatus>

/** What a learner did in a course, or what was done to them. */
export const ActivityVerb = {
  Enrolled: "ENROLLED",
  Started: "STARTED",
  Completed: "COMPLETED",
  Reset: "RESET",
  Unenrolled: "UNENROLLED",
} as const
export type ActivityVerb = Values<typeof ActivityVerb>

export const AttemptStatus = { InProgress: "In Progress", Completed: "Completed" } as const
export type AttemptStatus = Values<typeof AttemptStatus>

/** pending: an essay is not graded yet. */
export const QuizResult = { Passed: "passed", Failed: "failed", Pending: "pending" } as const
export type QuizResult = Values<typeof QuizResult>

/** Closed: the module was reset, or completed in another way. */
export const SubmissionStatus = {
  Submitted: "Submitted",
  Accepted: "Accepted",
  Returned: "Returned",
  Closed: "Closed",
} as const
export type SubmissionStatus = Values<typeof SubmissionStatus>

/** A canceled registration takes no seat. */
export const ClassStatus = {
  Registered: "Registered",
  Attended: "Attended",
  NoShow: "No Show",
  Cancelled: "Cancelled",
} as const
export type ClassStatus = Values<typeof ClassStatus>

/** The attendance of a learner in one session of a class. */
export const SessionAttendance = { Present: "present", Late: "late", Absent: "absent", Excused: "excused" } as const
export type SessionAttendance = Values<typeof SessionAttendance>

/** The values of SCORM's cmi.completion_status. */
export const CompletionStatus = {
  Completed: "completed",
  Incomplete: "incomplete",
  NotAttempted: "not attempted",
  Unknown: "unknown",
} as const
export type CompletionStatus = Values<typeof CompletionStatus>

/** The values of SCORM's cmi.success_status. */
export const SuccessStatus = { Passed: "passed", Failed: "failed", Unknown: "unknown" } as const
export type SuccessStatus = Values<typeof SuccessStatus>

export const CourseStatus = { Draft: "draft", Publish: "publish" } as const
export type CourseStatus = Values<typeof CourseStatus>

export const OrderStatus = {
  Pending: "pending",
  Completed: "completed",
  Refunded: "refunded",
  Failed: "failed",
} as const
export type OrderStatus = Values<typeof OrderStatus>

export const SubscriptionStatus = { Active: "Active", Cancelled: "Cancelled", Expired: "Expired" } as const
export type SubscriptionStatus = Values<typeof SubscriptionStatus>

export const PortalStatus = { Active: "active", Inactive: "inactive" } as const
export type PortalStatus = Values<typeof PortalStatus>

export const ConsentStatus = { Accepted: "accepted", Rejected: "rejected" } as const
export type ConsentStatus = Values<typeof ConsentStatus>

export const ExportStatus = {
  Processing: "processing",
  Completed: "completed",
  Cancelled: "cancelled",
  Failed: "failed",
  Expired: "expired",
} as const
export type ExportStatus = Values<typeof ExportStatus>

/** Of background jobs, bulk uploads and erasures. */
export const JobStatus = { Processing: "processing", Completed: "completed" } as const
export type JobStatus = Values<typeof JobStatus>

export const DeliveryStatus = { Delivered: "delivered", Waiting: "waiting", Failed: "failed" } as const
export type DeliveryStatus = Values<typeof DeliveryStatus>

export const MailStatus = { Queued: "queued", Sending: "sending", Sent: "sent", Failed: "failed" } as const
export type MailStatus = Values<typeof MailStatus>

/** An upload for an assignment. Used: a submission names it. */
export const UploadState = { New: "new", Used: "used", Expired: "expired" } as const
export type UploadState = Values<typeof UploadState>

/** The event that tests a webhook: the feed has it as well, other webhooks do not receive it. */
export const TEST_EVENT = "webhook.test"
/** What an event of a completed module that has `previous_percent` also is. */
export const ALSO_UPDATED = "enrollment.updated"
