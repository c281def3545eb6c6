import { announcementMailingIn } from "../rules.ts"
import { announcements, announcementUsers } from "../schema/announcements.ts"
import { searchIndex, trigger } from "./declare.ts"

/** The number of queued mails that are deleted together with their announcement. */
const MAX_MAILS_PER_BATCH = 1000

const MAILING_ID = announcementMailingIn("old")
const IS_QUEUED_MAIL = `mailing_id = ${MAILING_ID} AND +status = 'queued'`
const HAS_MANY_MAILS = `EXISTS (SELECT 1 FROM outbox WHERE ${IS_QUEUED_MAIL} LIMIT 1 OFFSET ${MAX_MAILS_PER_BATCH})`

const HAS_JOB = `EXISTS (
        SELECT 1 FROM background_jobs
        WHERE due_at IS NOT NULL AND kind = 'announcement.withdraw'
          AND ${MAILING_ID} IN (SELECT value FROM json_each(params, '$.mailingIds')))`

export const announcementTriggers = [
  ...searchIndex(announcements, {
    by: [announcements.state],
    deleted: [
      // More mails than a batch should write are withdrawn by a job: the job of the request or a new one.
      `
      INSERT INTO background_jobs (id, kind, params, total, due_at, created_at)
      SELECT 'announcement-' || old.id, 'announcement.withdraw', json_object('mailingIds', json_array(${MAILING_ID})),
        (SELECT count(*) FROM outbox WHERE ${IS_QUEUED_MAIL}), 0, unixepoch('subsec') * 1000
      WHERE ${HAS_MANY_MAILS} AND NOT ${HAS_JOB}`,
      `DELETE FROM outbox WHERE ${IS_QUEUED_MAIL} AND NOT ${HAS_JOB}`,
    ],
  }),
  trigger(
    "announcement_users_deleted",
    { on: announcementUsers, after: "delete" },
    "UPDATE announcements SET user_count = user_count - 1 WHERE id = old.announcement_id",
  ),
]
