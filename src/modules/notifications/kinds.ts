import { NOTIFICATION_KINDS, type NotificationKind } from "../../../drizzle/schema/notifications.ts"

/** How a variable is shown: as it is, as a date or a time in the recipient's language and time zone, or as a link. */
export type VariableType = "text" | "date" | "time" | "url"

interface KindDefinition {
  /** The variables of its texts beyond `COMMON_VARIABLES`. */
  variables: Record<string, VariableType>
  /** Whether people cannot switch it off. */
  isRequired?: true
  /** Whether it is in the list of notifications. Default: true */
  isListed?: false
  /** Whether its mail has many recipients or can wait: account mails are sent first. */
  isBulk?: true
  /** Whether its mail waits for the end of quiet hours. */
  isQuiet?: true
}

/** The variables of every text. `url` is what the notification opens. */
const COMMON_VARIABLES = {
  first_name: "text",
  last_name: "text",
  academy: "text",
  url: "url",
} as const satisfies Record<string, VariableType>

export const KINDS: Record<NotificationKind, KindDefinition> = {
  invited: { variables: {}, isRequired: true, isListed: false },
  enrolled: { variables: { course: "text", due_date: "date" }, isBulk: true },
  due_soon: { variables: { course: "text", due_date: "date" }, isBulk: true, isQuiet: true },
  overdue: { variables: { course: "text", due_date: "date" }, isRequired: true, isBulk: true, isQuiet: true },
  class_reminder: {
    variables: { class: "text", starts_at: "time", location: "text", calendar_url: "url" },
    isBulk: true,
    isQuiet: true,
  },
  class_changed: {
    variables: { class: "text", starts_at: "time", location: "text", calendar_url: "url" },
    isBulk: true,
  },
  class_canceled: { variables: { class: "text", starts_at: "time" }, isBulk: true },
  submission_graded: { variables: { assignment: "text", course: "text", grade: "text" } },
  submission_returned: { variables: { assignment: "text", course: "text" } },
  // The learner has just seen it. The mail stays.
  course_completed: {
    variables: { course: "text", completed_on: "date", certificate_url: "url" },
    isListed: false,
  },
  certificate_expiring: { variables: { course: "text", expires_on: "date" }, isBulk: true, isQuiet: true },
  certificate_expired: { variables: { course: "text", expires_on: "date" }, isBulk: true, isQuiet: true },
  // Announcements have a list of their own.
  announcement: { variables: { heading: "text" }, isListed: false, isBulk: true },
  exempted: { variables: { course: "text", reason: "text", until: "date" } },
  extended: { variables: { course: "text", reason: "text", due_date: "date" } },
  report_ready: {
    variables: { report: "text", rows: "text", overdue: "text", due_soon: "text", on_track: "text", completed: "text" },
    isBulk: true,
  },
  // The text of the message follows that of the mail.
  message: { variables: { subject: "text", sender: "text" }, isBulk: true },
  // One learner, or a count: the paragraphs without a value are left out.
  team_overdue: { variables: { learner: "text", course: "text", count: "text" }, isBulk: true, isQuiet: true },
}

/** The variables that a text of a kind may have, with their types. */
export const variablesOf = (kind: NotificationKind | "digest"): Record<string, VariableType> =>
  kind === "digest" ? { ...COMMON_VARIABLES, count: "text" } : { ...COMMON_VARIABLES, ...KINDS[kind].variables }

/** The kinds that people can switch off. */
export const OPTIONAL_KINDS = NOTIFICATION_KINDS.filter((kind) => !KINDS[kind].isRequired)
