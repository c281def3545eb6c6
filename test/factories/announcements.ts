import { sql } from "drizzle-orm"
import { announcements, announcementUsers } from "../../drizzle/schema/announcements.ts"
import { db } from "./index.ts"

/** Announcements with the ids from `first` on, one a minute: for everyone, or for one user. */
export async function manyAnnouncements(first: number, count: number, { userId }: { userId?: number } = {}) {
  const numbers = sql`
    with recursive n(i) as (values(${first}) union all select i + 1 from n where i < ${first + count - 1})`
  const [rule, state] = userId ? ["specific_users", "some"] : ["all", "everyone"]
  await db.run(
    sql`
      insert into ${announcements} (id, heading, content, sending_rules, limited_to_portals, state, search_text,
        created_at) ${numbers}
      select i, 'News ' || i, '<p>Text</p>', ${rule}, 0, ${state}, 'news ' || i || char(1), i * 60000
      from n`,
  )
  if (userId)
    await db.run(
      sql`
        insert into ${announcementUsers} (announcement_id, user_id, shown_until) ${numbers}
        select i, ${userId}, 8640000000000000
        from n`,
    )
}
