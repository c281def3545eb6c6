import { eq } from "drizzle-orm"
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
  notificationPreferences,
} from "../../../drizzle/schema/notifications.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { selectSettings } from "../../db/settings.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { gone, invalid } from "../../lib/errors.ts"
import { KINDS, OPTIONAL_KINDS } from "./kinds.ts"
import { requirePerson } from "./notifications.queries.ts"
import type { PreferenceChanges } from "./notifications.schemas.ts"
import { readUnsubscribeToken } from "./unsubscribe-token.ts"

type Preference = Pick<typeof notificationPreferences.$inferSelect, "mail" | "inApp">

const selectPreferences = ({ db }: UnitOfWork, userId: number) =>
  db.select().from(notificationPreferences).where(eq(notificationPreferences.userId, userId))

const preferenceOf = (kind: NotificationKind, stored: Preference | undefined): Preference => ({
  mail: stored?.mail ?? "immediately",
  inApp: KINDS[kind].isListed !== false && (stored?.inApp ?? true),
})

/** The caller's preferences for every kind. @throws 403 */
export async function getPreferences(work: UnitOfWork) {
  const [rows] = await work.db.batch([selectPreferences(work, requirePerson(work))])
  return {
    records: NOTIFICATION_KINDS.map((kind) => ({
      kind,
      ...preferenceOf(
        kind,
        rows.find((row) => row.kind === kind),
      ),
      required: KINDS[kind].isRequired === true,
      listed: KINDS[kind].isListed !== false,
    })),
  }
}

/** Kinds of mails that have no preference. */
const ALWAYS_SENT = ["account", "security"]

const kindNamed = (name: string): NotificationKind => {
  if (ALWAYS_SENT.includes(name))
    throw invalid("records", `records: notifications of the kind ${name} are always sent.`)
  const kind = NOTIFICATION_KINDS.find((known) => known === name)
  if (!kind) throw invalid("records", `records must have a kind of ${NOTIFICATION_KINDS.join(", ")}.`)
  return kind
}

const store = ({ db }: UnitOfWork, userId: number, kind: NotificationKind, preference: Preference): Statement =>
  db
    .insert(notificationPreferences)
    .values({ userId, kind, ...preference })
    .onConflictDoUpdate({ target: [notificationPreferences.userId, notificationPreferences.kind], set: preference })

/** Changes the caller's preferences of the named kinds. @throws 403; 422 for what cannot be switched off */
export async function updatePreferences(work: UnitOfWork, { records }: PreferenceChanges) {
  const userId = requirePerson(work)
  const [rows] = await work.read([selectPreferences(work, userId)])
  const wanted = new Map<string, PreferenceChanges["records"][number]>()
  for (const { kind, mail = wanted.get(kind)?.mail, inApp = wanted.get(kind)?.inApp } of records)
    wanted.set(kind, { kind, mail, inApp })
  const changes = [...wanted.values()].flatMap(({ kind: name, ...given }) => {
    const kind = kindNamed(name)
    const before = preferenceOf(
      kind,
      rows.find((row) => row.kind === kind),
    )
    const next = { mail: given.mail ?? before.mail, inApp: given.inApp ?? before.inApp }
    if (KINDS[kind].isRequired && (next.mail === "never" || (KINDS[kind].isListed !== false && !next.inApp)))
      throw invalid("records", `records: notifications of the kind ${kind} cannot be switched off.`)
    if (KINDS[kind].isListed === false) next.inApp = false
    return next.mail === before.mail && next.inApp === before.inApp ? [] : [{ kind, next }]
  })
  const answer = { message: "Notification preferences updated." }
  if (changes.length === 0) return work.commit([], answer)
  return work.commit(
    [
      ...changes.map(({ kind, next }) => store(work, userId, kind, next)),
      work.audit(
        "updated",
        "notification preferences",
        { id: userId, name: "notification preferences" },
        Object.fromEntries(changes.map(({ kind, next }) => [kind, next])),
      ),
    ],
    answer,
  )
}

/** What an unsubscribe link ends. @throws 410 for an invalid link */
export function readUnsubscription({ env }: Pick<UnitOfWork, "env">, token: string) {
  const found = readUnsubscribeToken(env, token)
  if (!found) throw gone("link_expired", "This link is incomplete. Open it from the email again.")
  return found
}

/** Ends the mails that the link names: of one kind, or of a digest all kinds that can be switched off. @throws 410 */
export async function unsubscribe(work: UnitOfWork, token: string) {
  const { userId, kind } = readUnsubscription(work, token)
  const [rows, [person], [academy = null]] = await work.read([
    selectPreferences(work, userId),
    work.db.select({ id: users.id }).from(users).where(eq(users.id, userId)),
    selectSettings(work.db),
  ])
  const answer = { message: "You are unsubscribed." }
  const kinds = kind === "digest" ? OPTIONAL_KINDS : [kind]
  const changes = kinds.flatMap((kind) => {
    const stored = rows.find((row) => row.kind === kind)
    const { mail, inApp } = preferenceOf(kind, stored)
    const isEnded = mail === "never" || KINDS[kind].isRequired || (isDigestOnly(kinds) && mail !== "daily")
    return isEnded ? [] : [{ kind, next: { mail: "never" as const, inApp } }]
  })
  if (!person || changes.length === 0) return { ...(await work.commit([], answer)), academy }
  await work.commit(
    [
      ...changes.map(({ kind, next }) => store(work, userId, kind, next)),
      work.audit(
        "updated",
        "notification preferences",
        { id: userId, name: "notification preferences" },
        Object.fromEntries(changes.map(({ kind, next }) => [kind, next])),
      ),
    ],
    answer,
  )
  return { ...answer, academy }
}

/** A digest's link ends the kinds that are in digests. */
const isDigestOnly = (kinds: readonly NotificationKind[]) => kinds.length > 1
