import { and, eq, type SQLWrapper, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { mailings, outbox } from "../../../drizzle/schema/outbox.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { settings } from "../../../drizzle/schema/settings.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { DueStatus } from "../../../drizzle/statuses.ts"
import { primaryPortalId } from "../../access/accounts.ts"
import type { Database } from "../../db/client.ts"
import { retryOnce } from "../../db/lease.ts"
import { MAIL_PRIORITIES } from "../../db/outbox.ts"
import { SETTINGS_ID, type StoredSettings } from "../../db/settings.ts"
import { literal, rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { now } from "../../lib/clock.ts"
import type { AcademyBranding } from "../../lib/web/brand.ts"
import { selectTemplate } from "../notifications/selected-template.ts"
import { isPaused, readPause } from "./mail-pauses.ts"

export type ClaimedMail = NonNullable<Awaited<ReturnType<typeof claimNext>>["mail"]>

/** A joined record as one value: D1 returns one value per column name. null: there is no such record. */
const record = <T>(table: { id: SQLWrapper }, columns: Record<keyof T & string, SQLWrapper>, name: string) =>
  sql<T | null>`iif(${table.id} is null, null, json_object(${sql.join(
    Object.entries<SQLWrapper>(columns).map(([key, column]) => sql`${sql.raw(`'${key}'`)}, ${column}`),
    sql`, `,
  )}))`
    .mapWith((json: string | null): T | null => json && JSON.parse(json))
    .as(name)

const brandColumns = (table: typeof portals | typeof settings) => ({
  name: table.name,
  logoUrl: table.logoUrl,
  primaryColor: table.primaryColor,
  secondaryColor: table.secondaryColor,
  senderName: table.senderName,
  replyTo: table.replyTo,
})

type Academy = AcademyBranding & Pick<StoredSettings, "timeZone" | "language">

/** The recipient as a mail needs them; `disabled` is 0 or 1. */
interface RecipientRecord {
  firstName: string
  lastName: string
  userType: string
  disabled: number
  timeZone: string | null
  language: string | null
}

const OPEN_STATUSES = [DueStatus.OnTrack, DueStatus.DueSoon, DueStatus.Overdue]
const variable = (name: string) => sql`${outbox.variables} ->> ${sql.raw(`'$.${name}'`)}`

/** Whether a reminder has waited until its training was completed, removed, or due at another time. */
const isOutdatedReminder = sql<number>`(
  ${variable("registration")} is not null and not ${rowExists(
    enrollments,
    sql`${enrollments.id} = ${variable("registration")} and ${enrollments.dueAt} = ${variable("due_date")}
      and ${enrollments.dueStatus} in (${sql.join(OPEN_STATUSES.map(literal), sql`, `)})`,
  )}
)`

/** Stores the last outcome and claims the next email in one round trip; claims none while the outbox is paused. */
export async function claimNext(db: Database, outcomeStatements: Statement[]) {
  const token = crypto.randomUUID()
  const at = now()
  // A literal status: SQLite uses the partial index only if the value is not bound.
  const isClaimed = sql`${outbox.status} = 'sending' and ${outbox.claimedAt} = ${at} and ${outbox.claim} = ${token}`
  const oldestOf = (priority: number) => sql`
    select * from (
      select mailing_id, number, priority from ${outbox}
      where ${outbox.status} = 'queued' and ${outbox.priority} = ${priority} and ${outbox.notBefore} <= ${at}
      order by ${outbox.notBefore}
      limit 1
    )`
  const next = sql`(
    select mailing_id, number from (${oldestOf(MAIL_PRIORITIES.account)} union all ${oldestOf(MAIL_PRIORITIES.bulk)})
    where not ${rowExists(outbox, isClaimed)} and not ${isPaused(at)}
    order by priority
    limit 1
  )`
  const portalId = sql`coalesce(
    (select id from ${portals} where id = ${mailings.portalId}),
    ${primaryPortalId(outbox.userId)}
  )`
  const claim = () =>
    db.batch([
      db
        .update(outbox)
        .set({ status: "sending", claim: token, claimedAt: at, attempts: sql`${outbox.attempts} + 1` })
        .where(and(sql`(${outbox.mailingId}, ${outbox.number}) in ${next}`, eq(outbox.status, "queued"))),
      db
        .select({
          mailingId: outbox.mailingId,
          number: outbox.number,
          userId: outbox.userId,
          recipient: outbox.recipient,
          name: outbox.name,
          secret: outbox.secret,
          variables: outbox.variables,
          claim: outbox.claim,
          attempts: outbox.attempts,
          priority: outbox.priority,
          notBefore: outbox.notBefore,
          error: outbox.error,
          isOutdated: isOutdatedReminder.as("is_outdated"),
          template: mailings.template,
          portal: record<AcademyBranding>(portals, brandColumns(portals), "portal"),
          academy: record<Academy>(
            settings,
            { ...brandColumns(settings), timeZone: settings.timeZone, language: settings.language },
            "academy",
          ),
          person: record<RecipientRecord>(
            users,
            {
              firstName: users.firstName,
              lastName: users.lastName,
              userType: users.userType,
              disabled: users.disabled,
              timeZone: users.timeZone,
              language: users.language,
            },
            "person",
          ),
          text: selectTemplate({
            kind: mailings.kind,
            portalId: portals.id,
            language: users.language,
            academyLanguage: settings.language,
          }).as("text"),
        })
        .from(outbox)
        .innerJoin(mailings, eq(mailings.id, outbox.mailingId))
        .leftJoin(portals, eq(portals.id, portalId))
        .leftJoin(settings, eq(settings.id, SETTINGS_ID))
        .leftJoin(users, eq(users.id, outbox.userId))
        .where(isClaimed),
      readPause(db),
      ...outcomeStatements,
    ])
  const [, [mail], [pause]] = await retryOnce(db, claim)
  return { mail, pause }
}
