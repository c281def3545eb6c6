import type { Schemas } from "../../../client/index.ts"

type Subscription = Schemas["NewWebhook"]["events"][number]
type EventType = Exclude<Subscription, "*" | `${string}.*`>

/** The event types. The type checks that none is missing. */
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

const EVENT_TYPES = Object.keys(IS_EVENT)
const objects = new Set(EVENT_TYPES.map((type) => type.replace(/\..*/, ".*")))

/** What a webhook can subscribe to: every event, every event of an object, or one type. */
export const SUBSCRIPTIONS = ["*", ...objects, ...EVENT_TYPES] as Subscription[]
