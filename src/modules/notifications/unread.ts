import { type SQL, sql } from "drizzle-orm"
import { notifications } from "../../../drizzle/schema/notifications.ts"

/** Counting ends here: people who never read must not cost a read of all rows. */
const MAX_UNREAD = 100

/** The condition of unread notifications, as the index has it. */
export const isUnread = sql`(${notifications.readAt} > 0) = 0`

/** Selects the number of a person's unread notifications, `MAX_UNREAD` at most. */
export const unreadCount = (userId: number): SQL<number> => sql<number>`(
  select count(*) from (
    select 1 from ${notifications} where ${notifications.userId} = ${userId} and ${isUnread} limit ${MAX_UNREAD}
  )
)`
