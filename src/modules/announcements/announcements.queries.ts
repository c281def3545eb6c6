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
import { mailingIdOf } from "../../db/outbox.ts"
import { changedFields, deleteRecords, guardUnchanged, requireVersion, updateChanged } from "../../db/records.ts"
import { searchText } from "../../db/search.ts"
import { idList, subquery } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers, userIdOf } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { plainText } from "../../lib/text/sanitize.ts"
import { notifyStatements } from "../notifications/notify.ts"
import {
  linkExpiry,
  maxAudienceSize,
  requireAudience,
  selectAudience,
  selectedPortalIds,
  setLinks,
} from "./announcement-audience.ts"
import {
  ANNOUNCEMENTS_PATH,
  type AnnouncementAudience,
  audienceState,
  isForUser,
  isInAudience,
  isNotExpired,
  selectRecipients,
} from "./announcement-readers.ts"
import {
  announcementDeletion,
  announcementLinks,
  announcementMail,
  MAIL_NUMBER,
  MAIL_WEIGHT,
} from "./announcements.background.ts"
import type { AnnouncementChanges, NewAnnouncement } from "./announcements.schemas.ts"

const expired = () =>
  invalid("expiry", "expiry must be in the future. Omit it for an announcement that does not expire.")

interface Mailing {
  id: number
  createdAt: number
  heading: string
  content: string
  readers: AnnouncementAudience
  /** An upper bound of the number of recipients. */
  size: number
  /** The previous audience of an updated announcement, which gets no email. */
  before?: AnnouncementAudience
}

/** Queues the emails, in a background job if there are many. Paths in the content become absolute URLs. */
function announce(work: UnitOfWork, base: string, { id, createdAt, heading, content, readers, size, before }: Mailing) {
  const html = content.replaceAll(/href="\/(?!\/)/g, () => `href="${base}/`)
  const body = { html, text: plainText(html) }
  const [portal, ...others] = readers.portalIds
  const portalId = others.length === 0 ? (portal ?? null) : null
  const variables = { heading, path: ANNOUNCEMENTS_PATH }
  const mailingId = mailingIdOf("announcement", id, createdAt)
  const template = { notification: "announcement", base, body, variables } as const
  // One mailing with the current text. Its queued mails get this text too.
  const mailing = work.db
    .insert(mailings)
    .values({ id: mailingId, kind: "announcement", template, portalId })
    .onConflictDoUpdate({ target: mailings.id, set: { template, portalId } })
  if (size * MAIL_WEIGHT <= BATCH_LIMIT.rowsWritten) {
    const isNew = before && sql`not ${isInAudience(users.id, before)}`
    const options = { base, portalId, variables, mailingId, number: MAIL_NUMBER }
    const mails = notifyStatements(work, "announcement", selectRecipients(readers, isNew), options)
    return { statements: [mailing, ...mails], job: {}, start: async () => {} }
  }
  const params = { announcementId: id, mailingId, heading, at: now(), ...(before && { before }) }
  const job = newJob(work, announcementMail, params, size)
  return { ...job, statements: [mailing, ...job.statements] }
}

/**
 * Creates an announcement and emails it to its audience. With the `id` of an existing one: the older format of an
 * update.
 * @param base the origin of links in emails, without a trailing slash
 * @throws 422 for an expiry in the past, a rule without users or courses, and unknown ones; with `id`, see
 *   updateAnnouncement
 */
export async function createAnnouncement(
  work: UnitOfWork,
  base: string,
  { id: existingId, ...input }: NewAnnouncement,
) {
  if (existingId) return updateAnnouncement(work, existingId, input, { base, status: 200 })
  const { db, caller } = work
  const { heading, sending_rules: rule } = input
  const { content } = input
  const expiresAt = input.expiry ?? 0
  if (expiresAt > 0 && expiresAt <= now()) throw expired()
  const ids = { all: [], specific_users: input.user_ids ?? [], specific_course_users: input.course_ids ?? [] }[rule]
  const readers: AnnouncementAudience = { rule, ids, portalIds: selectedPortalIds(input) }
  const [newIds, ...found] = await work.read([work.nextIds("announcements"), ...selectAudience(db, input)])
  requireAudience(readers, input, found)
  const id = firstRow(newIds).last
  const createdAt = now()
  const size = maxAudienceSize(readers, found)
  const mail = announce(work, base, { id, createdAt, heading, content, readers, size })
  const answer = await work.commit(
    [
      db.insert(announcements).values({
        id,
        heading,
        content,
        sendingRules: rule,
        limitedToPortals: readers.portalIds.length > 0,
        state: audienceState(readers, expiresAt),
        expiresAt,
        authorId: userIdOf(caller),
        searchText: searchText(heading),
        createdAt,
      }),
      ...setLinks(db, id, readers, expiresAt),
      db.update(announcements).set({ userCount: listedUserCount }).where(eq(announcements.id, id)),
      work.audit("created", "announcement", { id, name: heading }, { expiresAt, ...details(readers) }),
      ...mail.statements,
    ],
    { id, message: "Announcement created.", ...mail.job },
  )
  await mail.start()
  return answer
}

const listedUserCount = subquery(sql<number>`(
  select count(*) from ${announcementUsers}
  where ${announcementUsers.announcementId} = ${announcements.id}
)`)

const details = ({ rule, ids, portalIds }: AnnouncementAudience) => ({
  sending_rules: rule,
  ...(rule === "specific_users" && { user_ids: ids }),
  ...(rule === "specific_course_users" && { course_ids: ids }),
  ...(portalIds.length > 0 && { portal_ids: portalIds }),
})

/** Selects the ids of an announcement's users, courses and portals. */
const selectLinks = (db: Database, id: number) =>
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

/** The part of the audience `after` that may be new since `before`, or undefined. The batch checks each user. */
function addedAudience(before: AnnouncementAudience, after: AnnouncementAudience): AnnouncementAudience | undefined {
  const subtract = (all: number[], removed: number[]) => all.filter((id) => !removed.includes(id))
  const sameRule = before.rule === after.rule
  const ids = sameRule ? subtract(after.ids, before.ids) : after.ids
  const portalIds = before.portalIds.length > 0 ? subtract(after.portalIds, before.portalIds) : []
  const isWider = before.portalIds.length > 0 && (after.portalIds.length === 0 || portalIds.length > 0)
  if (!sameRule || isWider) return after
  return ids.length > 0 ? { ...after, ids } : undefined
}

/**
 * Updates the provided fields and emails users who are new in the audience. @throws 404, 412, 422 as in
 * createAnnouncement
 */
export async function updateAnnouncement(
  work: UnitOfWork,
  id: number,
  changes: AnnouncementChanges,
  { base, expectedVersion, status = 201 }: { base: string; expectedVersion?: number | undefined; status?: number },
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
    ...selectLinks(db, id),
    ...selectAudience(db, changes),
  ])
  const announcement = requireVersion(rows, "announcement", expectedVersion)
  const links = { all: [], specific_users: idsOf(userRows), specific_course_users: idsOf(courseRows) }
  const previousRule = announcement.sendingRules
  const before: AnnouncementAudience = { rule: previousRule, ids: links[previousRule], portalIds: idsOf(portalRows) }
  const rule = changes.sending_rules ?? previousRule
  const ids = {
    all: [],
    specific_users: changes.user_ids ?? links.specific_users,
    specific_course_users: changes.course_ids ?? links.specific_course_users,
  }[rule]
  const portalIds = selectedPortalIds({ ...changes, portal_ids: changes.portal_ids ?? before.portalIds })
  const readers: AnnouncementAudience = { rule, ids, portalIds }
  const sorted = ({ ids, portalIds }: AnnouncementAudience) =>
    JSON.stringify([ids, portalIds].map((all) => all.toSorted((a, b) => a - b)))
  const isAudienceChanged = before.rule !== rule || sorted(before) !== sorted(readers)
  // Users of an unchanged audience may have been deleted meanwhile, which must not block other changes.
  if (isAudienceChanged) requireAudience(readers, changes, found)
  const expiresAt = changes.expiry ?? announcement.expiresAt
  if (expiresAt > 0 && expiresAt <= now() && expiresAt !== announcement.expiresAt) throw expired()

  const next = {
    heading: changes.heading ?? announcement.heading,
    content: content ?? announcement.content,
    sendingRules: rule,
    limitedToPortals: portalIds.length > 0,
    expiresAt,
  }
  const changed = changedFields(announcement, next)
  const answer = { id, message: "Announcement updated." }
  if (Object.keys(changed).length === 0 && !isAudienceChanged) return work.commit([], answer, { status })

  const state = audienceState(readers, expiresAt)
  const newAudience = isAudienceChanged && state !== "ended" ? addedAudience(before, readers) : undefined
  const { heading } = next
  const mail =
    newAudience &&
    announce(work, base, {
      id,
      createdAt: announcement.createdAt,
      heading,
      content: next.content,
      readers,
      size: maxAudienceSize(newAudience, found),
      before,
    })
  const linkJob =
    isAudienceChanged || "expiresAt" in changed
      ? plan.decide(planned, {
          id,
          userIds: isAudienceChanged ? (rule === "specific_users" ? ids : []) : null,
          until: "expiresAt" in changed ? linkExpiry(expiresAt) : null,
        })
      : undefined
  // The job updates the expiry of existing user links.
  const newLinks = newUsers === undefined && previousRule === rule ? { ...readers, ids: [] } : readers
  const response = { ...answer, ...linkJob?.job, ...mail?.job }
  await work.commit(
    [
      guardUnchanged(announcements, announcement),
      ...(mail?.statements ?? []),
      ...(linkJob ? setLinks(db, id, rule === "specific_users" ? newLinks : readers, expiresAt) : []),
      ...(linkJob?.statements ?? []),
      updateChanged(db, announcements, announcement, { ...changed, state, searchText: searchText(heading) }),
      ...(isAudienceChanged
        ? [db.update(announcements).set({ userCount: listedUserCount }).where(eq(announcements.id, id))]
        : []),
      work.audit(
        "updated",
        "announcement",
        { id, name: heading },
        { ...changed, ...(isAudienceChanged && details(readers)) },
      ),
    ],
    response,
    { status },
  )
  await Promise.all([linkJob?.start(), mail?.start()])
  return response
}

/** Deletes announcements and their queued emails. */
export const deleteAnnouncements = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: announcements,
    subject: "announcement",
    name: announcements.heading,
    ids,
    cascade: announcementDeletion,
    beforeJob: (ids) => [
      work.db
        .update(announcements)
        .set({ state: "ended", expiresAt: now() })
        .where(sql`${announcements.id} in ${idList(ids)}`),
    ],
  })

/** Whether the caller may read an announcement: staff all, others their own unexpired ones. */
const mayRead = (caller: Caller): SQL =>
  canSeeAllUsers(caller) ? sql`1` : sql`(${isNotExpired()} and ${isForUser(caller.id)})`

/** An announcement. Only staff see its audience. @throws 404 */
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
    ...selectLinks(db, canSeeAllUsers(caller) ? id : 0),
  ])
  const [found] = rows
  if (!found) throw notFound("announcement")
  if (!canSeeAllUsers(caller)) return found
  return { ...found, user_ids: idsOf(userRows), course_ids: idsOf(courseRows), portal_ids: idsOf(portalRows) }
}
