import { sql } from "drizzle-orm"
import { supervisorScope } from "../../../drizzle/schema/groups.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import type { Deletion } from "../../db/records.ts"
import { idList } from "../../db/sql.ts"

/** Deletes the supervisor scope of deleted group administrators. */
export const deletedSupervisors: BackgroundKind<Deletion> = {
  name: "users.scope-of-deleted",
  stages: [
    {
      table: supervisorScope,
      where: ({ ids }) => sql`${supervisorScope.supervisorId} in ${idList(ids)}`,
      key: [supervisorScope.supervisorId, supervisorScope.userId],
      weight: 3,
      // The aggregates of the deleted audience lose one row per record of the user.
      extraWeight: sql`(
        (select count(*) from enrollments where user_id = ${supervisorScope.userId})
        + (select count(*) from quiz_attempts where user_id = ${supervisorScope.userId})
        + (select count(*) from class_enrollments where user_id = ${supervisorScope.userId})
        + (select count(*) from submissions where user_id = ${supervisorScope.userId})
      )`,
      total: ({ ids }) => sql`(select sum(value) from counters where key in (
        select 'supervisor:' || value from json_each(${JSON.stringify(ids)})
      ))`,
      change: ({ db }, _, which) => [db.delete(supervisorScope).where(which)],
    },
  ],
}
