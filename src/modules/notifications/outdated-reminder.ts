import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"
import { literal, rowExists } from "../../db/sql.ts"
import { HOUR } from "../../lib/clock.ts"

const OPEN_STATUSES = [DueStatus.OnTrack, DueStatus.DueSoon, DueStatus.Overdue]
/** A due date moves by less when the time zone of its person changes, and by more when the day changes. */
const MAX_ZONE_SHIFT = 23 * HOUR

const variableIn = (variables: SQLWrapper, name: "registration" | "due_date") =>
  sql`${variables} ->> ${sql.raw(`'$.${name}'`)}`

/**
 * The condition that a reminder waited until its training was completed, removed, or due on another day; false for
 * other notifications.
 */
export function isOutdatedReminder(variables: SQLWrapper): SQL<number> {
  const variable = (name: "registration" | "due_date") => variableIn(variables, name)
  const isCurrent = rowExists(
    enrollments,
    sql`${enrollments.id} = ${variable("registration")}
      and abs(${enrollments.dueAt} - ${variable("due_date")}) < ${MAX_ZONE_SHIFT}
      and ${enrollments.dueStatus} in (${sql.join(OPEN_STATUSES.map(literal), sql`, `)})`,
  )
  return sql<number>`(${variable("registration")} is not null and not ${isCurrent})`
}

/** The variables of a notification, with the present due date if it is a reminder. */
export const withPresentDueDate = (variables: SQLWrapper): SQL => sql`iif(
  ${variableIn(variables, "registration")} is null,
  ${variables},
  json_set(${variables}, '$.due_date', (
    select ${enrollments.dueAt} from ${enrollments} where ${enrollments.id} = ${variableIn(variables, "registration")}
  ))
)`

const itemVariables = sql`(item.value -> '$.variables')`
/** The items of a digest that are not outdated. */
const currentItems = (variables: SQLWrapper) => sql`
  from json_each(${variables}, '$.items') as item where not ${isOutdatedReminder(itemVariables)}`

const ofMail = (variables: SQLWrapper, mail: { ofDigest: SQL; ofOther: SQL }) =>
  sql`iif(${variables} -> '$.items' is null, ${mail.ofOther}, ${mail.ofDigest})`

/** The condition that a mail is an outdated reminder, or a digest of nothing else. */
export const isOutdatedMail = (variables: SQLWrapper): SQL<number> =>
  ofMail(variables, {
    ofDigest: sql`(${variables} ->> '$.more' = 0 and not exists (select 1 ${currentItems(variables)}))`,
    ofOther: isOutdatedReminder(variables),
  }) as SQL<number>

/** The variables of a mail: reminders have the present due date, and digests name no outdated reminders. */
export const presentVariables = (variables: SQLWrapper): SQL =>
  ofMail(variables, {
    ofDigest: sql`json_set(${variables}, '$.items', (
      select json_group_array(json_set(item.value, '$.variables', json(${withPresentDueDate(itemVariables)})))
      ${currentItems(variables)}
    ))`,
    ofOther: withPresentDueDate(variables),
  })
