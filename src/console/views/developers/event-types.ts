import type { Schemas } from "../../../client/index.ts"

type EventType = Schemas["NewWebhook"]["events"][number]

/** The event types of webhooks. The type checks that none is missing. */
const IS_EVENT: Record<EventType, true> = {
  "user.created": true,
  "user.erased": true,
  "enrollment.created": true,
  "enrollment.completed": true,
  "quiz.submitted": true,
  "assignment.submitted": true,
  "assignment.evaluated": true,
  "assignment.rejected": true,
  "order.created": true,
  "order.pending": true,
  "order.failed": true,
  "order.refused": true,
  "announcement.created": true,
  "certificate.issued": true,
  "class.enrolled": true,
  "export.completed": true,
}

export const EVENT_TYPES = Object.keys(IS_EVENT) as EventType[]
