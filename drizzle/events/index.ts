import { MODULE_ID_LIMIT } from "../rules.ts"
import { TEST_EVENT } from "../statuses.ts"
import {
  announcementEvents,
  apiKeyEvents,
  exportEvents,
  importEvents,
  ssoProviderEvents,
  webhookEvents,
} from "./administration.ts"
import { assignmentEvents, quizEvents } from "./assessments.ts"
import { assignmentClaimEvents, assignmentRuleEvents } from "./assignment-rules.ts"
import { orderEvents, subscriptionEvents } from "./billing.ts"
import { awardEvents, certificateEvents } from "./certificates.ts"
import { classEnrollmentEvents, classEvents } from "./classes.ts"
import { courseEvents } from "./courses.ts"
import { enrollmentEvents, moduleEvents, pathEnrollmentEvents, pathEvents } from "./enrollments.ts"
import { mediaEvents } from "./media.ts"
import { type EventObject, type EventTypeDefinition, objectSql } from "./object.ts"
import { groupAdminEvents, groupEvents, groupMemberEvents, portalEvents, portalMemberEvents } from "./organizations.ts"
import { reportDeliveryEvents, reportScheduleEvents } from "./report-schedules.ts"
import { erasureEvents, userEvents } from "./users.ts"

/** The objects of events, in the order of the documentation. */
const objects = [
  userEvents,
  erasureEvents,
  groupEvents,
  groupMemberEvents,
  groupAdminEvents,
  portalEvents,
  portalMemberEvents,
  enrollmentEvents,
  moduleEvents,
  pathEvents,
  pathEnrollmentEvents,
  assignmentRuleEvents,
  assignmentClaimEvents,
  courseEvents,
  classEvents,
  classEnrollmentEvents,
  quizEvents,
  assignmentEvents,
  certificateEvents,
  awardEvents,
  orderEvents,
  subscriptionEvents,
  announcementEvents,
  importEvents,
  exportEvents,
  reportScheduleEvents,
  reportDeliveryEvents,
  mediaEvents,
  apiKeyEvents,
  webhookEvents,
  ssoProviderEvents,
] as const

type TypesOf<Definition> = Definition extends { types: infer Types } ? keyof Types & string : never
export type EventType = TypesOf<(typeof objects)[number]>

export const eventObjects: readonly EventObject[] = objects

/** Every event type with its object. */
export const eventDefinitions = new Map<string, EventTypeDefinition & { object: EventObject }>(
  eventObjects.flatMap((object) =>
    Object.entries(object.types).map(([type, definition]) => [type, { ...definition, object }] as const),
  ),
)
export const EVENT_TYPES = [...eventDefinitions.keys()] as [EventType, ...EventType[]]
/** `*`, and `user.*` for each object. */
const WILDCARDS = ["*", ...new Set(EVENT_TYPES.map((type) => type.replace(/\..*/, ".*")))]
/** Event types and patterns, as the feed and webhooks accept them. */
export const EVENT_PATTERNS = [...WILDCARDS, ...EVENT_TYPES] as [string, ...string[]]
/** What a webhook can subscribe to. */
export const WEBHOOK_PATTERNS = EVENT_PATTERNS.filter((pattern) => pattern !== TEST_EVENT) as [string, ...string[]]

/** The event types that patterns include. */
export const typesOf = (patterns: readonly string[]) =>
  EVENT_TYPES.filter((type) => patterns.some((at) => ["*", type, type.replace(/\..*/, ".*")].includes(at)))

/** The SQL that selects the enrollment of a completed module as a JSON array. */
export const enrollmentOfModuleSql = objectSql({
  ...enrollmentEvents,
  from: `FROM enrollments AS row WHERE row.id = events.object_id / ${MODULE_ID_LIMIT}`,
})

/** The SQL that selects the object of a row of `events` as a JSON array; null if it does not exist. */
export const eventObjectSql = `CASE ${eventObjects
  .flatMap((object) => {
    const types = Object.entries(object.types).filter(([, { onlyIds }]) => !onlyIds)
    if (types.length === 0) return []
    return [`WHEN events.type IN (${types.map(([type]) => `'${type}'`).join(", ")}) THEN ${objectSql(object)}`]
  })
  .join("\n")} END`
