import { sql } from "drizzle-orm"
import { groupMembers, groups } from "../../../drizzle/schema/groups.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { idList } from "../../db/sql.ts"

/** Adds users to a group, as part of a larger batch. Groups that no longer exist are skipped. */
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
