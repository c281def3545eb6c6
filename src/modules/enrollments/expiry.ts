import { now } from "../../lib/clock.ts"

/** Whether a registration is over. @param registration `expiresAt`: epoch ms; 0: never */
export const hasExpired = ({ expiresAt }: { expiresAt: number }): boolean => expiresAt > 0 && expiresAt <= now()

/** Whether its learner may still open the course, as answers say it. */
export const ACCESS_STATUSES = ["Allowed", "Expired"] as const

export const accessStatus = (registration: { expiresAt: number }): (typeof ACCESS_STATUSES)[number] =>
  hasExpired(registration) ? "Expired" : "Allowed"
