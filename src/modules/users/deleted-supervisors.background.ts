import { sql } from "drizzle-orm"
import { reach } from "../../../drizzle/schema/groups.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import type { Deletion } from "../../db/records.ts"
import { idList } from "../../db/sql.ts"

/** Deletes the supervisor scope of deleted group administrators. */
export const deletedSupervisors: BackgroundKind<Deletion> = {
  name: "users.scope-of-deleted",
  stages: [
    {
      table: reach,
      where: ({ ids }) => sql`${reach.supervisorId} in ${idList(ids)}`,
      key: [reach.supervisorId, reach.userId],
      weight: 3,
      // The aggregates of the deleted audience lose one row per record of the user.
      extraWeight: sql`(
        (select count(*) from enrollments where user_id = ${reach.userId})
        + (select count(*) from quiz_attempts where user_id = ${reach.userId})
        + (select count(*) from class_enrollments where user_id = ${reach.userId})
        + (select count(*) from submissions where user_id = ${reach.userId})
      )`,
      total: ({ ids }) => sql`(select sum(value) from counters where key in (
        select 'reach:' || value from json_each(${JSON.stringify(ids)})
      ))`,
      change: ({ db }, _, which) => [db.delete(reach).where(which)],
    },
  ],
}
