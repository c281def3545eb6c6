import { type SQL, sql } from "drizzle-orm"
import {
  type NotificationKind,
  type NotificationVariables,
  notificationPreferences,
  notifications,
} from "../../../drizzle/schema/notifications.ts"
import { mailings, type NotificationMail, outbox } from "../../../drizzle/schema/outbox.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { insertFrom } from "../../db/insert-from.ts"
import { insertRows, newMailingId, tryDispatchLater } from "../../db/outbox.ts"
import { literal } from "../../db/sql.ts"
import { onCommitted, type Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { KINDS } from "./kinds.ts"

interface NotifyOptions {
  /** The URL of this service without a trailing slash, for links in mails. Default: BASE_URL */
  base?: string
  /** The portal that sends the mail; null: a portal of the recipient, else the academy. */
  portalId?: number | null
  /** Sanitized HTML after the text of the mail, and the same as plain text. */
  body?: { html: string; text: string }
  /** The variables of all recipients. */
  variables?: NotificationVariables
  /** Identifies the mailing, so that at most one is written. Default: a new id */
  mailingId?: string
  /** The number of a mail within the mailing, if several batches write it. Default: counted from 1 */
  number?: SQL
}

/** What people get of a kind unless they chose otherwise. */
const mailFrequency = sql`coalesce(${notificationPreferences.mail}, 'immediately')`
const isListedFor = (kind: NotificationKind): SQL =>
  KINDS[kind].isListed === false ? sql`0` : sql`coalesce(${notificationPreferences.inApp}, 1)`

/** The recipients who are neither disabled nor erased, with their preferences for a kind. */
const withPreferences = (kind: NotificationKind, recipients: SQL): SQL => sql`
  (${recipients}) as recipient
  join ${users} on ${users.id} = recipient.user_id and not ${users.disabled}
  left join ${notificationPreferences}
    on ${notificationPreferences.userId} = recipient.user_id and ${notificationPreferences.kind} = ${literal(kind)}`

/** The rows of the list of notifications and of the daily digest. */
const insertListed = (work: UnitOfWork, kind: NotificationKind, recipients: SQL, shared: NotificationVariables) =>
  insertFrom(
    work.db,
    notifications,
    {
      userId: sql`recipient.user_id`,
      kind,
      variables: Object.keys(shared).length > 0 ? merged(shared) : sql`recipient.variables`,
      path: sql`recipient.path`,
      isListed: isListedFor(kind),
      readAt: sql`iif(${isListedFor(kind)}, 0, ${now()})`,
      inDigest: sql`${mailFrequency} = 'daily'`,
      dedupe: sql`recipient.dedupe`,
      createdAt: now(),
    },
    sql`
      from ${withPreferences(kind, recipients)}
      where ${isListedFor(kind)} or ${mailFrequency} = 'daily'`,
  ).onConflictDoNothing()

const merged = (shared: NotificationVariables): SQL => sql`json_patch(${JSON.stringify(shared)}, recipient.variables)`

/**
 * The columns of the people who get a mail of a kind at once, for `insertRows`.
 * @param recipients a query of `user_id`, `variables`, `path` and `dedupe`
 * @param path the path of all recipients, which the mailing has
 */
const mailRecipients = (kind: NotificationKind, recipients: SQL, path: NotificationVariables[string] = null) => sql`
  select ${users.id} as user_id, ${users.email} as recipient, ${users.firstName} as name, null as secret,
    recipient.dedupe as dedupe, iif(
      recipient.path is ${path},
      nullif(recipient.variables, '{}'),
      json_set(recipient.variables, '$.path', recipient.path)
    ) as variables
  from ${withPreferences(kind, recipients)}
  where ${mailFrequency} = 'immediately'`

/**
 * Notifies everyone that a query finds when the batch runs: in the list of notifications, by mail, or in the daily
 * digest, as each person chose. People who are disabled get nothing. The text is rendered when the mail is sent.
 *
 * The batch may write up to 3 rows per person for the list and 5 for the mail.
 * @param recipients a query of `user_id`, `variables` (a JSON object: see `KINDS`; times in epoch ms), `path` (where
 *   the notification leads: a path of the console such as `/console/learning/7`) and `dedupe` (a key of at most one
 *   notification, such as `class:7:12`; or null). It runs three times, and must find the same rows each time.
 */
export function notifyStatements(
  work: UnitOfWork,
  kind: NotificationKind,
  recipients: SQL,
  {
    base = work.env.BASE_URL,
    portalId = null,
    body,
    variables = {},
    mailingId = newMailingId(),
    number,
  }: NotifyOptions = {},
): Statement[] {
  const template: NotificationMail = { notification: kind, base, variables, ...(body && { body }) }
  const mailing = { id: mailingId, kind, template, portalId }
  const byMail = mailRecipients(kind, recipients, variables.path)
  return [
    insertListed(work, kind, recipients, variables),
    insertFrom(work.db, mailings, mailing, sql`where exists (${byMail})`).onConflictDoNothing(),
    onCommitted(
      insertRows(work, mailing.id, byMail, {
        isBulk: KINDS[kind].isBulk === true,
        variables: sql`variables`,
        ...(number && { number }),
      }).returning({ number: outbox.number }),
      (rows) => tryDispatchLater(work.env, rows.length),
    ),
  ]
}
