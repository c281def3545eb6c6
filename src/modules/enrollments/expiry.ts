import { now } from "../../lib/clock.ts"

/** @param enrollment `expiresAt` in epoch ms; 0 means never */
export const hasExpired = ({ expiresAt }: { expiresAt: number }): boolean => expiresAt > 0 && expiresAt <= now()

/** Whether the learner can still open the course. */
export const ACCESS_STATUSES = ["Allowed", "Expired"] as const

export const accessStatus = (enrollment: { expiresAt: number }): (typeof ACCESS_STATUSES)[number] =>
  hasExpired(enrollment) ? "Expired" : "Allowed"
