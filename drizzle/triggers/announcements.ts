import { announcements, announcementUsers } from "../announcements.ts"
import { searched, trigger } from "./declare.ts"

export const announcementTriggers = [
  ...searched(announcements, {
    by: [announcements.standing],
    deleted: [
      `
      DELETE FROM outbox
      WHERE dedupe >= 'announcement:' || old.id || ':' AND dedupe < 'announcement:' || old.id || ';'
        AND status = 'queued'`,
    ],
  }),
  trigger(
    "announcement_users_deleted",
    { on: announcementUsers, after: "delete" },
    "UPDATE announcements SET user_count = user_count - 1 WHERE id = old.announcement_id",
  ),
]
