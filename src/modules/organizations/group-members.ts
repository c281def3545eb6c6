import { sql } from "drizzle-orm"
import { groupMembers, groups } from "../../../drizzle/schema/groups.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { idList } from "../../db/sql.ts"

/** Adds a user to groups, as part of a larger batch. Groups that no longer exist are skipped. */
export const joinGroups = (db: Database, userId: number, groupIds: number[]) =>
  insertFrom(
    db,
    groupMembers,
    { groupId: groups.id, userId },
    sql`from ${groups} where ${groups.id} in ${idList(groupIds)}`,
  ).onConflictDoNothing()

/** Removes a user from groups, as part of a larger batch. */
export const leaveGroups = (db: Database, userId: number, groupIds: number[]) =>
  db
    .delete(groupMembers)
    .where(sql`${groupMembers.userId} = ${userId} and ${groupMembers.groupId} in ${idList(groupIds)}`)

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
