import { asc, eq, type SQL, sql } from "drizzle-orm"
import {
  announcementCourses,
  announcementPortals,
  announcements,
  announcementUsers,
} from "../../../drizzle/schema/announcements.ts"
import { mailings } from "../../../drizzle/schema/outbox.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { BATCH_LIMIT, newJob, planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { newMailingId, queueMailForQuery } from "../../db/outbox.ts"
import { changedFields, deleteRecords, requireVersion, unchangedAnswer, writeChanged } from "../../db/records.ts"
import { searchText } from "../../db/search.ts"
import { idList, subquery } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers, userIdOf } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { plainText } from "../../lib/text/sanitize.ts"
import {
  type Audience,
  audienceState,
  isForUser,
  isInAudience,
  isNotExpired,
  linkExpiry,
  requireAudience,
  selectAudience,
  selectedPortalIds,
  selectRecipients,
  setLinks,
  sizeOf,
} from "./announcement-readers.ts"
import { announcementDeletion, announcementLinks, announcementMail, MAIL_WEIGHT } from "./announcements.background.ts"
import type { AnnouncementChanges, NewAnnouncement } from "./announcements.schemas.ts"

const expired = () =>
  invalid("expiry", "expiry must be in the future; leave it out for an announcement that does not expire.")

interface Mailing {
  id: number
  heading: string
  content: string
  readers: Audience
  /** About how many, and never fewer. */
  size: number
  /** Whom an update's announcement was for before; they get no mail. */
  before?: Audience
}

/** One mail to each, written by a job where there may be many. A path in the content becomes a URL of this service. */
function announce(work: UnitOfWork, base: string, { id, heading, content, readers, size, before }: Mailing) {
  const html = content.replaceAll(/href="\/(?!\/)/g, () => `href="${base}/`)
  const letter = { subject: heading, paragraphs: [], body: { html, text: plainText(html) } }
  const [only, ...others] = readers.portalIds
  const portalId = others.length === 0 ? (only ?? null) : null
  if (size * MAIL_WEIGHT <= BATCH_LIMIT.rowsWritten) {
    const besides = before && sql`not ${isInAudience(users.id, before)}`
    const options = { portalId, isBulk: true, expected: size }
    const mail = queueMailForQuery(work, "announcement", letter, selectRecipients(id, readers, besides), options)
    return { statements: mail.statements, job: {}, start: async () => mail.dispatch() }
  }
  const mailingId = newMailingId()
  const params = { announcementId: id, mailingId, at: now(), ...(before && { before }) }
  const job = newJob(work, announcementMail, params, size)
  const mailing = work.db.insert(mailings).values({ id: mailingId, kind: "announcement", letter, portalId })
  return { ...job, statements: [mailing, ...job.statements] }
}

/**
 * Makes an announcement and mails it to all whom it is for. With the id of one that there is: the older form of an
 * update.
 * @param base the origin that links in mails lead to, without a slash at the end
 * @throws 422 for an expiry in the past, a rule without its users or courses, and unknown ones; as in update for an
 *   `id`
 */
export async function createAnnouncement(work: UnitOfWork, base: string, { id: known, ...input }: NewAnnouncement) {
  if (known) return updateAnnouncement(work, known, input, { base, status: 200 })
  const { db, caller } = work
  const { heading, sending_rules: rule } = input
  const { content } = input
  const expiresAt = input.expiry ?? 0
  if (expiresAt > 0 && expiresAt <= now()) throw expired()
  const ids = { all: [], specific_users: input.user_ids ?? [], specific_course_users: input.course_ids ?? [] }[rule]
  const readers: Audience = { rule, ids, portalIds: selectedPortalIds(input) }
  const [given, ...found] = await work.read([work.nextIds("announcements"), ...selectAudience(db, input)])
  requireAudience(readers, input, found)
  const id = firstRow(given).last
  const mail = announce(work, base, { id, heading, content, readers, size: sizeOf(readers, found) })
  const answer = await work.commit(
    [
      db.insert(announcements).values({
        id,
        heading,
        content,
        sendingRules: rule,
        narrowed: readers.portalIds.length > 0,
        standing: audienceState(readers, expiresAt),
        expiresAt,
        authorId: userIdOf(caller),
        searchText: searchText(heading),
        createdAt: now(),
      }),
      ...setLinks(db, id, readers, expiresAt),
      db.update(announcements).set({ userCount: usersNamed }).where(eq(announcements.id, id)),
      work.audit("created", "announcement", { id, name: heading }, { expiresAt, ...details(readers) }),
      ...mail.statements,
    ],
    { id, message: "Announcement created.", ...mail.job },
  )
  await mail.start()
  return answer
}

const usersNamed = subquery(sql<number>`(
  select count(*) from ${announcementUsers}
  where ${announcementUsers.announcementId} = ${announcements.id}
)`)

const details = ({ rule, ids, portalIds }: Audience) => ({
  sending_rules: rule,
  ...(rule === "specific_users" && { user_ids: ids }),
  ...(rule === "specific_course_users" && { course_ids: ids }),
  ...(portalIds.length > 0 && { portal_ids: portalIds }),
})

/** The ids of an announcement's users, courses and portals, each a statement. */
const linksOf = (db: Database, id: number) =>
  [
    db
      .select({ id: announcementUsers.userId })
      .from(announcementUsers)
      .where(eq(announcementUsers.announcementId, id))
      .orderBy(asc(announcementUsers.userId)),
    db
      .select({ id: announcementCourses.courseId })
      .from(announcementCourses)
      .where(eq(announcementCourses.announcementId, id))
      .orderBy(asc(announcementCourses.courseId)),
    db
      .select({ id: announcementPortals.portalId })
      .from(announcementPortals)
      .where(eq(announcementPortals.announcementId, id))
      .orderBy(asc(announcementPortals.portalId)),
  ] as const

const idsOf = (rows: { id: number }[]) => rows.map((row) => row.id)

/**
 * The audience of `after` that was not in `before`; undefined where nobody is new. The batch compares user by user.
 */
function added(before: Audience, after: Audience): Audience | undefined {
  const less = (all: number[], without: number[]) => all.filter((id) => !without.includes(id))
  const sameRule = before.rule === after.rule
  const ids = sameRule ? less(after.ids, before.ids) : after.ids
  const portalIds = before.portalIds.length > 0 ? less(after.portalIds, before.portalIds) : []
  const wider = before.portalIds.length > 0 && (after.portalIds.length === 0 || portalIds.length > 0)
  if (!sameRule || wider) return after
  return ids.length > 0 ? { ...after, ids } : undefined
}

/**
 * Changes the given fields and leaves the others. Mails it to those whom it was not for before.
 * @throws 404, 412, 422 as in create
 */
export async function updateAnnouncement(
  work: UnitOfWork,
  id: number,
  changes: AnnouncementChanges,
  { base, demanded, status = 201 }: { base: string; demanded?: number | undefined; status?: number },
) {
  const { db } = work
  const { content, sending_rules: newRule, user_ids: newUsers } = changes
  const plan = planBackgroundWork(work, announcementLinks, {
    id,
    userIds: newUsers ?? (newRule && newRule !== "specific_users" ? [] : null),
    until: changes.expiry === undefined ? null : linkExpiry(changes.expiry),
  })
  const [planned, rows, userRows, courseRows, portalRows, ...found] = await work.read([
    plan.question,
    db.select().from(announcements).where(eq(announcements.id, id)),
    ...linksOf(db, id),
    ...selectAudience(db, changes),
  ])
  const announcement = requireVersion(rows, "announcement", demanded)
  const links = { all: [], specific_users: idsOf(userRows), specific_course_users: idsOf(courseRows) }
  const wasFor = announcement.sendingRules
  const before: Audience = { rule: wasFor, ids: links[wasFor], portalIds: idsOf(portalRows) }
  const rule = changes.sending_rules ?? wasFor
  const ids = {
    all: [],
    specific_users: changes.user_ids ?? links.specific_users,
    specific_course_users: changes.course_ids ?? links.specific_course_users,
  }[rule]
  const portalIds = selectedPortalIds({ ...changes, portal_ids: changes.portal_ids ?? before.portalIds })
  const readers: Audience = { rule, ids, portalIds }
  const sorted = ({ ids, portalIds }: Audience) =>
    JSON.stringify([ids, portalIds].map((all) => all.toSorted((a, b) => a - b)))
  const moved = before.rule !== rule || sorted(before) !== sorted(readers)
  // Those whom it was for may have been deleted since: that hinders no other change.
  if (moved) requireAudience(readers, changes, found)
  const expiresAt = changes.expiry ?? announcement.expiresAt
  if (expiresAt > 0 && expiresAt <= now() && expiresAt !== announcement.expiresAt) throw expired()

  const next = {
    heading: changes.heading ?? announcement.heading,
    content: content ?? announcement.content,
    sendingRules: rule,
    narrowed: portalIds.length > 0,
    expiresAt,
  }
  const changed = changedFields(announcement, next)
  const answer = { id, message: "Announcement updated." }
  if (Object.keys(changed).length === 0 && !moved) return work.commit([], answer, { status })

  const standing = audienceState(readers, expiresAt)
  const newly = moved && standing !== "ended" ? added(before, readers) : undefined
  const { heading } = next
  const mail =
    newly &&
    announce(work, base, {
      id,
      heading,
      content: next.content,
      readers,
      size: sizeOf(newly, found),
      before,
    })
  const linkWork =
    moved || "expiresAt" in changed
      ? plan.decide(planned, {
          id,
          userIds: moved ? (rule === "specific_users" ? ids : []) : null,
          until: "expiresAt" in changed ? linkExpiry(expiresAt) : null,
        })
      : undefined
  // Users of before take another expiry with the job.
  const written = newUsers === undefined && wasFor === rule ? { ...readers, ids: [] } : readers
  const answered = { ...answer, ...linkWork?.job, ...mail?.job }
  await work.commit(
    [
      unchangedAnswer(work, announcements, announcement),
      ...(mail?.statements ?? []),
      ...(linkWork ? setLinks(db, id, rule === "specific_users" ? written : readers, expiresAt) : []),
      ...(linkWork?.statements ?? []),
      writeChanged(db, announcements, announcement, { ...changed, standing, searchText: searchText(heading) }),
      ...(moved ? [db.update(announcements).set({ userCount: usersNamed }).where(eq(announcements.id, id))] : []),
      work.audit("updated", "announcement", { id, name: heading }, { ...changed, ...(moved && details(readers)) }),
    ],
    answered,
    { status },
  )
  await Promise.all([linkWork?.start(), mail?.start()])
  return answered
}

/** Deletes announcements, and withdraws the mails of them that still wait. */
export const deleteAnnouncements = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: announcements,
    subject: "announcement",
    name: announcements.heading,
    ids,
    cascade: announcementDeletion,
    meanwhile: (ids) => [
      work.db
        .update(announcements)
        .set({ standing: "ended", expiresAt: now() })
        .where(sql`${announcements.id} in ${idList(ids)}`),
    ],
  })

/** The condition that the caller may read an announcement: staff any, others what is for them and has not expired. */
const mayRead = (caller: Caller): SQL =>
  canSeeAllUsers(caller) ? sql`1` : sql`(${isNotExpired()} and ${isForUser(caller.id)})`

/** One announcement; whom it is for is staff's to know. @throws 404 */
export async function getAnnouncement(db: Database, caller: Caller, id: number) {
  const [rows, userRows, courseRows, portalRows] = await db.batch([
    db
      .select({
        id: announcements.id,
        heading: announcements.heading,
        content: announcements.content,
        rule: announcements.sendingRules,
        expiresAt: announcements.expiresAt,
        version: announcements.version,
      })
      .from(announcements)
      .where(sql`${announcements.id} = ${id} and ${mayRead(caller)}`),
    ...linksOf(db, canSeeAllUsers(caller) ? id : 0),
  ])
  const [found] = rows
  if (!found) throw notFound("announcement")
  if (!canSeeAllUsers(caller)) return found
  return { ...found, user_ids: idsOf(userRows), course_ids: idsOf(courseRows), portal_ids: idsOf(portalRows) }
}
