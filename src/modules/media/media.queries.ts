import { and, asc, eq, inArray, type SQL, sql } from "drizzle-orm"
import { announcements } from "../../../drizzle/schema/announcements.ts"
import { badges } from "../../../drizzle/schema/badges.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import {
  LOGO_SOURCES,
  type MediaKind,
  type MediaSource,
  media,
  mediaUploads,
  mediaUses,
} from "../../../drizzle/schema/media.ts"
import { modules, quizQuestions } from "../../../drizzle/schema/modules.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { bankQuestions } from "../../../drizzle/schema/question-bank.ts"
import type { Database } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { readRecord, requireVersion, updateRecord } from "../../db/records.ts"
import { searchFilter } from "../../db/search.ts"
import { counter, idList, rowCount, rowExists, textList } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { conflict, notFound } from "../../lib/errors.ts"
import { downloadName } from "../../lib/files/file-kinds.ts"
import { pluralize } from "../../lib/text/words.ts"
import type { MediaChanges } from "./media.schemas.ts"
import { canSeeMedia } from "./media-access.ts"
import { mediaColumns, mediaDetailColumns, mediaFields } from "./media-fields.ts"

const SUBJECT = "media file"

/** Returns one page of the library. */
export const listMedia = (
  db: Database,
  query: PageQuery & { search_param: { name?: string | undefined; kind?: MediaKind | undefined } },
) => {
  const { name, kind } = query.search_param
  return readPage(
    db,
    {
      table: media,
      key: media.id,
      fields: mediaColumns.fields,
      sort: mediaColumns.sort,
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: [],
      search: [...(name ? [searchFilter(media, name)] : []), ...(kind ? [{ test: eq(media.kind, kind) }] : [])],
      total: counter("media"),
      ...(kind && !name && { filtered: counter(`media:${kind}`) }),
    },
    query,
  )
}

/** @throws 404 */
export const getMedia = (db: Database, id: number) =>
  readRecord(db, { table: media, fields: mediaDetailColumns.fields, subject: SUBJECT }, id)

/** Changes only the given fields. @throws 404, 412 */
export async function updateMedia(work: UnitOfWork, id: number, changes: MediaChanges, expectedVersion?: number) {
  const [rows] = await work.read([work.db.select().from(media).where(eq(media.id, id))])
  const record = requireVersion(rows, SUBJECT, expectedVersion)
  const next = mediaFields.toUpdate(record, changes)
  return updateRecord(work, {
    table: media,
    record,
    next: { ...next, ...mediaFields.changedSearchText(next, { ...record, ...next }) },
    subject: SUBJECT,
    name: next.name,
    answer: { message: "Media file updated." },
    details: { name: next.name, altText: next.altText },
  })
}

/** A file for those who may see it. @throws 404 */
export const findMediaFile = (db: Database, caller: Caller, id: number) => findFile(db, id, canSeeMedia(caller))

/** A logo of the academy or a portal, for everyone. @throws 404 for other files */
export const findLogo = (db: Database, id: number) =>
  findFile(
    db,
    id,
    rowExists(mediaUses, and(eq(mediaUses.mediaId, media.id), inArray(mediaUses.source, [...LOGO_SOURCES]))),
  )

async function findFile(db: Database, id: number, isVisible: SQL) {
  const [rows] = await db.batch([
    db
      .select({ key: media.key, type: media.mimeType, name: media.name, extension: media.extension })
      .from(media)
      .where(and(eq(media.id, id), isVisible)),
  ])
  const [found] = rows
  if (!found) throw notFound("file")
  const { key, type, name, extension } = found
  return { key, type, filename: downloadName(name, extension) }
}

const NAMES: Record<MediaSource, string> = {
  module: "module",
  course: "course",
  learning_path: "learning path",
  announcement: "announcement",
  quiz_question: "quiz question",
  quiz_version: "attempts of the quiz",
  bank_question: "bank question",
  badge: "badge",
  settings: "settings of the academy",
  portal: "portal",
}
/** How many uses an error names. */
const MAX_NAMED = 5

/** Deletes files that nothing uses. @throws 409 with the records that use one */
export async function deleteMedia(work: UnitOfWork, ids: number[]) {
  const { db } = work
  const isSelected = sql`${media.id} in ${idList(ids)}`
  const isUsed = sql`${mediaUses.mediaId} in ${idList(ids)}`
  const name = sql<string>`coalesce(
    ${modules.name}, ${courses.name}, ${learningPaths.name}, ${announcements.heading}, ${quizQuestions.text},
    ${bankQuestions.text}, ${badges.title}, ${portals.name}, ''
  )`
  const of = (sources: MediaSource | MediaSource[], id: unknown) =>
    sql`${mediaUses.source} in ${textList([sources].flat())} and ${id} = ${mediaUses.sourceId}`
  const [found, uses] = await work.read([
    db.select({ id: media.id }).from(media).where(isSelected),
    db
      .select({ source: mediaUses.source, id: mediaUses.sourceId, name: name.as("user_name") })
      .from(mediaUses)
      .leftJoin(modules, of(["module", "quiz_version"], modules.id))
      .leftJoin(courses, of("course", courses.id))
      .leftJoin(learningPaths, of("learning_path", learningPaths.id))
      .leftJoin(announcements, of("announcement", announcements.id))
      .leftJoin(quizQuestions, of("quiz_question", quizQuestions.id))
      .leftJoin(bankQuestions, of("bank_question", bankQuestions.id))
      .leftJoin(badges, of("badge", badges.id))
      .leftJoin(portals, of("portal", portals.id))
      .where(isUsed)
      .orderBy(asc(mediaUses.mediaId), asc(mediaUses.source), asc(mediaUses.sourceId))
      .limit(MAX_NAMED + 1),
  ])
  if (uses.length > 0) throw usedError(uses)
  const unknown = ids.length - found.length
  const message = [
    `${pluralize(found.length, SUBJECT)} deleted.`,
    ...(unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : []),
  ].join(" ")
  if (found.length === 0) return work.commit([], { message })
  return work.commit(
    [
      work.guard(eq(rowCount(media, isSelected), found.length)),
      work.guard(sql`not ${rowExists(mediaUses, isUsed)}`),
      work.auditMany(
        "deleted",
        SUBJECT,
        sql`select ${media.id} as id, ${media.name} as name, '{}' as details from ${media} where ${isSelected}`,
      ),
      // The cron deletes what expired uploads have stored.
      insertFrom(
        db,
        mediaUploads,
        {
          id: media.id,
          uploadedBy: media.uploadedBy,
          name: media.name,
          metadata: "",
          bytes: 0,
          key: media.key,
          multipartId: null,
          parts: sql`'[]'`,
          createdAt: now(),
          expiresAt: now(),
        },
        sql`from ${media} where ${isSelected}`,
      ),
      db.delete(media).where(isSelected),
    ],
    { message },
  )
}

function usedError(uses: { source: MediaSource; id: number; name: string }[]) {
  const nameOf = ({ source, id, name }: (typeof uses)[number]) =>
    `the ${NAMES[source]}${source === "settings" ? "" : ` "${name}" (id ${id})`}`
  const named = uses.slice(0, MAX_NAMED).map(nameOf)
  const more = uses.length > MAX_NAMED ? " and others" : ""
  return conflict("media_in_use", `Nothing was deleted. Files are used in ${named.join(", ")}${more}.`)
}
