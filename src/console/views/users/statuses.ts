import { t } from "../../messages/messages.ts"

/** How far a registration is, as the API calls it. */
export const STATUSES = ["Not Started", "In Progress", "Completed"] as const
type Status = (typeof STATUSES)[number]

export const statusOf = (status: Status): string =>
  ({
    "Not Started": t("status.not-started"),
    "In Progress": t("status.in-progress"),
    Completed: t("status.completed"),
  })[status]
