import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"
import { literal, rowExists } from "../../db/sql.ts"

const OPEN_STATUSES = [DueStatus.OnTrack, DueStatus.DueSoon, DueStatus.Overdue]

/**
 * The condition that a reminder waited until its training was completed, removed, or due at another time; false for
 * other notifications.
 */
export function isOutdatedReminder(variables: SQLWrapper): SQL<number> {
  const variable = (name: string) => sql`${variables} ->> ${sql.raw(`'$.${name}'`)}`
  const isCurrent = rowExists(
    enrollments,
    sql`${enrollments.id} = ${variable("registration")} and ${enrollments.dueAt} = ${variable("due_date")}
      and ${enrollments.dueStatus} in (${sql.join(OPEN_STATUSES.map(literal), sql`, `)})`,
  )
  return sql<number>`(${variable("registration")} is not null and not ${isCurrent})`
}
