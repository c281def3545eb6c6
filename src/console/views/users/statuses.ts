import { t } from "../../messages/messages.ts"

/** Enrollment statuses of the API. */
export const ENROLLMENT_STATUSES = ["Not Started", "In Progress", "Completed"] as const
type Status = (typeof ENROLLMENT_STATUSES)[number]

export const statusLabel = (status: Status): string =>
  ({
    "Not Started": t("status.not-started"),
    "In Progress": t("status.in-progress"),
    Completed: t("status.completed"),
  })[status]
