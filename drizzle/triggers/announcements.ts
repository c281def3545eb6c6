import { announcements, announcementUsers } from "../schema/announcements.ts"
import { searchIndex, trigger } from "./declare.ts"

/** How many waiting mails are deleted together with their announcement. */
const WITHDRAWN_AT_ONCE = 1000

const OF_OLD =
  "dedupe >= 'announcement:' || old.id || ':' AND dedupe < 'announcement:' || old.id || ';' AND +status = 'queued'"
const IS_LARGE = `EXISTS (SELECT 1 FROM outbox WHERE ${OF_OLD} LIMIT 1 OFFSET ${WITHDRAWN_AT_ONCE})`

const HAS_JOB = `EXISTS (
        SELECT 1 FROM background_jobs
        WHERE due_at IS NOT NULL AND kind = 'announcement.withdraw'
          AND old.id IN (SELECT value FROM json_each(params, '$.ids')))`

export const announcementTriggers = [
  ...searchIndex(announcements, {
    by: [announcements.standing],
    deleted: [
      // More mails than one batch should write are withdrawn by a job: that of the call, or one of its own.
      `
      INSERT INTO background_jobs (id, kind, params, total, due_at, created_at)
      SELECT 'announcement-' || old.id, 'announcement.withdraw', json_object('ids', json_array(old.id)),
        (SELECT count(*) FROM outbox WHERE ${OF_OLD}), 0, unixepoch('subsec') * 1000
      WHERE ${IS_LARGE} AND NOT ${HAS_JOB}`,
      `DELETE FROM outbox WHERE ${OF_OLD} AND NOT ${HAS_JOB}`,
    ],
  }),
  trigger(
    "announcement_users_deleted",
    { on: announcementUsers, after: "delete" },
    "UPDATE announcements SET user_count = user_count - 1 WHERE id = old.announcement_id",
  ),
]
