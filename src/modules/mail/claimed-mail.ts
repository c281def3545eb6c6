import { eq, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { mailings, outbox } from "../../../drizzle/schema/outbox.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { settings } from "../../../drizzle/schema/settings.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { primaryPortalId } from "../../access/accounts.ts"
import type { Database } from "../../db/client.ts"
import { retryOnce } from "../../db/lease.ts"
import { MAIL_PRIORITIES, ofEachPriority } from "../../db/outbox.ts"
import { SETTINGS_ID, type StoredSettings } from "../../db/settings.ts"
import { rowExists } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { now } from "../../lib/clock.ts"
import type { AcademyBranding } from "../../lib/web/brand.ts"
import { isOutdatedMail, presentVariables } from "../notifications/outdated-reminder.ts"
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

/** How many mails are sent at the same time, at most. */
const MAX_SENDING = 20

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

/** Stores the last outcome and claims the next email in one round trip; claims none while the outbox is paused. */
export async function claimNext(db: Database, outcomeStatements: Statement[]) {
  const token = crypto.randomUUID()
  const at = now()
  /** The oldest due mail of the first priority that has one that matches. Reads no others, also during a pause. */
  const oldest = (condition: SQL) => {
    const isDue = (priority: number) => sql`
      ${outbox.notBefore} > 0 and ${outbox.priority} = ${priority} and ${outbox.notBefore} <= ${at} and ${condition}`
    const first = (priority: number) => {
      const earlier = Object.values(MAIL_PRIORITIES).filter((other) => other < priority)
      const isHeld = sql.join([isPaused(at), ...earlier.map((other) => rowExists(outbox, isDue(other)))], sql` or `)
      return sql`
        select * from (
          select mailing_id, number from ${outbox}
          where ${isDue(priority)}
          order by ${outbox.notBefore}
          limit iif(${isHeld}, 0, 1)
        )`
    }
    return sql`(select mailing_id, number from (${ofEachPriority(first)}) limit 1)`
  }
  const key = sql`(${outbox.mailingId}, ${outbox.number})`
  const isClaimed = sql`${outbox.status} = 'sending' and ${outbox.claimedAt} = ${at} and ${outbox.claim} = ${token}`
  /** The condition of a repeated batch, which claims no second mail. Those that are being sent are the first. */
  const isRepeated = ofEachPriority(
    (priority) => sql`
      select 1 from (
        select status, claimed_at, claim from ${outbox}
        where ${outbox.notBefore} > 0 and ${outbox.priority} = ${priority}
        order by ${outbox.notBefore} limit ${MAX_SENDING}
      )
      where status = 'sending' and claimed_at = ${at} and claim = ${token}`,
  )
  const claimed = sql`${key} in ${oldest(isClaimed)}`
  const portalId = sql`coalesce(
    (select id from ${portals} where id = ${mailings.portalId}),
    ${primaryPortalId(outbox.userId)}
  )`
  const claim = () =>
    db.batch([
      db
        .update(outbox)
        .set({ status: "sending", claim: token, claimedAt: at, attempts: sql`${outbox.attempts} + 1` })
        .where(sql`${key} in ${oldest(sql`${outbox.status} = 'queued'`)} and not exists (${isRepeated})`),
      db
        .select({
          mailingId: outbox.mailingId,
          number: outbox.number,
          userId: outbox.userId,
          recipient: outbox.recipient,
          name: outbox.name,
          secret: outbox.secret,
          variables: sql<(typeof outbox.$inferSelect)["variables"]>`${presentVariables(outbox.variables)}`
            .mapWith(outbox.variables)
            .as("variables"),
          claim: outbox.claim,
          claimedAt: outbox.claimedAt,
          attempts: outbox.attempts,
          priority: outbox.priority,
          uncertainSince: outbox.uncertainSince,
          isOutdated: isOutdatedMail(outbox.variables).as("is_outdated"),
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
        .where(claimed),
      readPause(db),
      ...outcomeStatements,
    ])
  const [, [mail], [pause]] = await retryOnce(db, claim)
  return { mail, pause }
}
