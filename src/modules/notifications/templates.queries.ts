import { and, eq, type SQL, sql } from "drizzle-orm"
import {
  NOTIFICATION_KINDS,
  type NotificationKind,
  type NotificationVariables,
  notificationTemplates,
} from "../../../drizzle/schema/notifications.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import type { Database } from "../../db/client.ts"
import { guardStatement } from "../../db/insert-from.ts"
import { queueMail } from "../../db/outbox.ts"
import { type StoredSettings, selectSettings } from "../../db/settings.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { DAY, now } from "../../lib/clock.ts"
import { notFound, preconditionFailed } from "../../lib/errors.ts"
import { isoTime, isoTimeOrNull } from "../../lib/text/dates.ts"
import { CONSOLE } from "../../lib/web/academy.ts"
import { brandOf } from "../../lib/web/brand.ts"
import { academyLanguage, academyTimeZone } from "../settings/settings.ts"
import { requireValidText } from "./checked-text.ts"
import { variablesOf } from "./kinds.ts"
import { renderNotification } from "./notification-mail.tsx"
import { requirePerson } from "./notifications.queries.ts"
import { selectTemplate } from "./selected-template.ts"
import type { TemplateChanges, TemplatePreview, TemplateQuery } from "./templates.schemas.ts"
import { BUILT_IN_TEXTS, builtInTexts } from "./texts/built-in-texts.ts"

/** The kinds with their variables, and the academy's own texts. */
export async function listNotificationTemplates(db: Database) {
  const { kind, portalId, language, updatedAt } = notificationTemplates
  const [rows] = await db.batch([
    db.select({ kind, portalId, language, updatedAt }).from(notificationTemplates).orderBy(kind, portalId, language),
  ])
  return {
    records: NOTIFICATION_KINDS.map((kind) => ({
      kind,
      variables: variablesOf(kind),
      custom: rows
        .filter((row) => row.kind === kind)
        .map(({ portalId, language, updatedAt }) => ({
          portalId: portalId || null,
          language,
          updatedAt: isoTime(updatedAt),
        })),
    })),
    languages: Object.keys(BUILT_IN_TEXTS),
  }
}

/** The portal id of the academy's own texts. */
const EVERYONE = 0

const languageOr = (language: string | undefined): SQL =>
  language === undefined ? sql`coalesce((select language from settings), 'en')` : sql`${language}`

/** Selects the stored text for exactly this kind, portal and language. */
const selectOwn = (db: Database, kind: NotificationKind, { portalId, language }: TemplateQuery) =>
  db
    .select()
    .from(notificationTemplates)
    .where(
      and(
        eq(notificationTemplates.kind, kind),
        eq(notificationTemplates.portalId, portalId ?? EVERYONE),
        sql`${notificationTemplates.language} = ${languageOr(language)}`,
      ),
    )

/** Selects the stored text that applies, with the settings. */
const selectApplicable = (db: Database, kind: NotificationKind, { portalId, language }: TemplateQuery) =>
  db
    .select({
      text: selectTemplate({
        kind: sql`${kind}`,
        portalId: sql`${portalId ?? EVERYONE}`,
        language: sql`${language ?? null}`,
        academyLanguage: sql`(select language from settings)`,
      }).as("text"),
    })
    .from(sql`(select 1)`)

/** The middleware has checked that the portal exists. */
const selectPortal = (db: Database, portalId = EVERYONE) => db.select().from(portals).where(eq(portals.id, portalId))

/** The text that applies to members of a portal in a language. */
export async function getNotificationTemplate(db: Database, kind: NotificationKind, query: TemplateQuery) {
  const [[own], [applicable], [settings]] = await db.batch([
    selectOwn(db, kind, query),
    selectApplicable(db, kind, query),
    selectSettings(db),
  ])
  const language = query.language ?? academyLanguage(settings)
  const { subject, body } = own ?? applicable?.text ?? builtInTexts(language).texts.kinds[kind]
  return {
    version: own?.version ?? 0,
    kind,
    portalId: query.portalId ?? null,
    language,
    subject,
    body,
    isCustom: own !== undefined,
    variables: variablesOf(kind),
    updatedAt: isoTimeOrNull(own?.updatedAt ?? 0),
  }
}

const nameOf = (kind: NotificationKind, language: string) => `${kind} (${language})`

/** Stores the academy's own text. @throws 412; 422 for an unknown variable */
export async function updateNotificationTemplate(
  work: UnitOfWork,
  kind: NotificationKind,
  { portalId: wanted, language: given, subject, body }: TemplateChanges,
  expected?: number,
) {
  requireValidText(kind, { subject, body })
  const { db } = work
  const portalId = wanted ?? EVERYONE
  const [[own], [settings]] = await work.read([
    selectOwn(db, kind, { portalId: wanted, language: given }),
    selectSettings(db),
  ])
  if (expected !== undefined && expected !== (own?.version ?? 0)) throw preconditionFailed()
  const answer = { message: "Notification template updated." }
  if (own?.subject === subject && own.body === body) return work.commit([], answer)
  const language = given ?? academyLanguage(settings)
  const row = { subject, body, version: (own?.version ?? 0) + 1, updatedBy: work.caller.id, updatedAt: now() }
  return work.commit(
    [
      guardStatement(db, isUnchanged(kind, portalId, language, own?.version ?? 0)),
      db
        .insert(notificationTemplates)
        .values({ kind, portalId, language, ...row })
        .onConflictDoUpdate({
          target: [notificationTemplates.kind, notificationTemplates.portalId, notificationTemplates.language],
          set: row,
        }),
      work.audit(
        own ? "updated" : "created",
        "notification template",
        { id: null, name: nameOf(kind, language) },
        { kind, portalId, language, subject, body },
      ),
    ],
    answer,
  )
}

const isUnchanged = (kind: NotificationKind, portalId: number, language: string, version: number) => sql`coalesce((
  select ${notificationTemplates.version} from ${notificationTemplates}
  where ${notificationTemplates.kind} = ${kind} and ${notificationTemplates.portalId} = ${portalId}
    and ${notificationTemplates.language} = ${language}
), 0) = ${version}`

/** Deletes the academy's own text, so that the next one of the chain applies. */
export async function resetNotificationTemplate(work: UnitOfWork, kind: NotificationKind, query: TemplateQuery) {
  const [[own]] = await work.read([selectOwn(work.db, kind, query)])
  if (!own) return work.commit([], { message: "There was no text to reset." })
  const { portalId, language } = own
  return work.commit(
    [
      work.db
        .delete(notificationTemplates)
        .where(
          and(
            eq(notificationTemplates.kind, kind),
            eq(notificationTemplates.portalId, portalId),
            eq(notificationTemplates.language, language),
          ),
        ),
      work.audit(
        "deleted",
        "notification template",
        { id: null, name: nameOf(kind, language) },
        { kind, portalId, language },
      ),
    ],
    { message: "Notification template reset." },
  )
}

/** Values to show a text with. */
function sampleVariables(kind: NotificationKind): NotificationVariables {
  const samples = { text: "", date: now() + 7 * DAY, time: now() + DAY, url: `${CONSOLE}/learning` }
  const texts: Record<string, string> = {
    ...{ course: "Workplace safety", class: "Workplace safety", assignment: "Risk assessment", heading: "News" },
    ...{ location: "Room 1", grade: "18 / 20", reason: "Parental leave", learner: "Ada Byron", count: "3" },
    ...{ subject: "Welcome", sender: "Ada Byron", report: "Overdue training", rows: "42" },
    ...{ overdue: "3", due_soon: "5", on_track: "20", completed: "14" },
  }
  return Object.fromEntries(
    Object.entries(variablesOf(kind)).map(([name, type]) => [
      name,
      type === "text" ? (texts[name] ?? "") : samples[type],
    ]),
  )
}

/** The text to show: the given one, else the one that applies to the person. */
function shownText(
  kind: NotificationKind,
  { subject, body, language: given }: Omit<TemplatePreview, "userId">,
  stored: { subject: string; body: string; language: string } | null | undefined,
  fallback: { person: string | null; settings: StoredSettings | undefined },
) {
  const language = given ?? fallback.person ?? academyLanguage(fallback.settings)
  const builtIn = builtInTexts(language)
  const applicable = stored ?? { ...builtIn.texts.kinds[kind], language: builtIn.language }
  const isGiven = subject !== undefined || body !== undefined
  const text = {
    subject: subject ?? applicable.subject,
    body: body ?? applicable.body,
    language: isGiven ? language : applicable.language,
  }
  requireValidText(kind, text)
  return { text, language }
}

const selectForPreview = (db: Database, kind: NotificationKind, userId: number, input: TemplateQuery) =>
  [
    db
      .select({
        id: users.id,
        firstName: users.firstName,
        lastName: users.lastName,
        email: users.email,
        language: users.language,
        timeZone: users.timeZone,
        text: selectTemplate({
          kind: sql`${kind}`,
          portalId: sql`${input.portalId ?? EVERYONE}`,
          language: input.language === undefined ? users.language : sql`${input.language}`,
          academyLanguage: sql`(select language from settings)`,
        }).as("text"),
      })
      .from(users)
      .where(eq(users.id, userId)),
    selectSettings(db),
    selectPortal(db, input.portalId),
  ] as const

/** Renders a text with sample values for a real person. @throws 403; 404 for an unknown user; 422 */
export async function previewNotification(
  work: UnitOfWork,
  base: string,
  kind: NotificationKind,
  input: TemplatePreview,
) {
  const { db, env } = work
  const userId = input.userId ?? requirePerson(work)
  const [[person], [settings], [portal]] = await db.batch(selectForPreview(db, kind, userId, input))
  if (!person) throw notFound("user")
  const { text, language } = shownText(kind, input, person.text, { person: person.language, settings })
  const rendered = await renderNotification({
    mail: { notification: kind },
    variables: {
      ...sampleVariables(kind),
      ...{ first_name: person.firstName, last_name: person.lastName, path: `${CONSOLE}/learning` },
    },
    template: text,
    locale: { language, timeZone: person.timeZone ?? academyTimeZone(settings, env), base },
    brand: brandOf(env, base, settings, portal),
  })
  return { ...rendered, language: text.language }
}

/** Mails a text with sample values to the caller, whatever their preferences. @throws 403, 422 */
export async function sendTestMail(
  work: UnitOfWork,
  base: string,
  kind: NotificationKind,
  input: Omit<TemplatePreview, "userId">,
) {
  const userId = requirePerson(work)
  const [[person], [settings]] = await work.read(selectForPreview(work.db, kind, userId, input))
  if (!person) throw notFound("user")
  const { text } = shownText(kind, input, person.text, { person: person.language, settings })
  const { academy, first_name, last_name, url, ...variables } = sampleVariables(kind)
  const mail = queueMail(
    work,
    kind,
    { notification: kind, base, variables: { ...variables, path: `${CONSOLE}/learning` }, text },
    [{ userId, email: person.email, name: person.firstName }],
    { portalId: input.portalId ?? null },
  )
  const message = `Test sent to ${person.email}.`
  const answer = await work.commit(mail.statements, { message }, { marker: mail.isCommitted })
  mail.dispatch()
  return answer
}
