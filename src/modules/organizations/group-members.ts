import { sql } from "drizzle-orm"
import { groupMembers, groups } from "../../../drizzle/schema/groups.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { idList } from "../../db/sql.ts"

/**
 * Makes users members of a group, for the batch of whatever else is done to them. A group that has gone is passed over.
 */
export const joinGroup = (db: Database, groupId: number, userIds: number[]) =>
  insertFrom(
    db,
    groupMembers,
    { groupId: groups.id, userId: sql`value` },
    sql`
      from ${groups}
      join ${idList(userIds)}
      where ${groups.id} = ${groupId}`,
  ).onConflictDoNothing()
