import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { events } from "../../drizzle/schema/events.ts"
import { webhooks } from "../../drizzle/schema/webhooks.ts"
import { ALSO_UPDATED, TEST_EVENT } from "../../drizzle/statuses.ts"
import { literal } from "./sql.ts"

// The conditions on events of the feed and of webhooks.

/** Events of a group or portal: its own, those of its current members, and the deletion of a group's members. */
export function isEventOf(kind: "group" | "portal", id: SQLWrapper | number): SQL {
  // By name: the definitions of the tables would be loaded at the start of every isolate.
  const isMember = sql`exists (
    select 1 from ${sql.identifier(`${kind}_members`)} as member
    where member.${sql.identifier(`${kind}_id`)} = ${id} and member.user_id = ${events.userId}
  )`
  // Portals have none: a member of a portal cannot be deleted.
  const wasMember = sql`exists (select 1 from json_each(${events.groupIds}) as former where former.value = ${id})`
  return sql`(
    ${events.objectId} = ${id} and ${events.type} glob ${literal(`${kind}.*`)}
    or ${isMember}${kind === "group" ? sql` or ${wasMember}` : sql``}
  )`
}

/** The condition that an event of a row has a type: a completed module can also have updated its enrollment. */
export const isEitherType = (condition: (type: SQLWrapper) => SQL): SQL =>
  sql`(${condition(events.type)} or ${events.previousPercent} is not null and ${condition(literal(ALSO_UPDATED))})`

/** @param patterns types and patterns, as a JSON array */
const hasType = (patterns: SQLWrapper) => sql`exists (
  select 1 from json_each(${patterns}) as pattern
  where ${isEitherType((type) => sql`pattern.value in ('*', ${type}, substr(${type}, 1, instr(${type}, '.')) || '*')`)}
)`

const isNullOr = (value: SQLWrapper, condition: SQL) => sql`(${value} is null or ${condition})`

type Subscription = Record<"events" | "courseId" | "groupId" | "portalId", SQLWrapper>

/** The condition that an event is for a webhook. @param subscription its columns */
export const isEventFor = ({ events: patterns, courseId, groupId, portalId }: Subscription): SQL => sql`(
  ${events.type} <> ${literal(TEST_EVENT)} and ${hasType(patterns)}
  and ${isNullOr(courseId, sql`${events.courseId} = ${courseId}`)}
  and ${isNullOr(groupId, isEventOf("group", groupId))}
  and ${isNullOr(portalId, isEventOf("portal", portalId))}
)`

/** As `isEventFor`, for the webhook with an id. SQLite reads the webhook once, not for each event. */
export function isEventForWebhook(id: number): SQL {
  const valueIn = (column: SQLWrapper) => sql`(select ${column} from ${webhooks} where ${webhooks.id} = ${id})`
  const { events: patterns, courseId, groupId, portalId } = webhooks
  return isEventFor({
    events: valueIn(patterns),
    courseId: valueIn(courseId),
    groupId: valueIn(groupId),
    portalId: valueIn(portalId),
  })
}
