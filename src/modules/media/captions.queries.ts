import { and, eq, sql } from "drizzle-orm"
import { media, mediaCaptions } from "../../../drizzle/schema/media.ts"
import type { Database } from "../../db/client.ts"
import { requireVersion, updateChanged } from "../../db/records.ts"
import { rowCount } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { conflict, invalid, notFound } from "../../lib/errors.ts"
import { canSeeMedia } from "./media-access.ts"
import { requireWebVtt } from "./webvtt.ts"

/** How many languages a file can have captions in. */
const MAX_LANGUAGES = 50

const isCaption = (mediaId: number, language: string) =>
  and(eq(mediaCaptions.mediaId, mediaId), eq(mediaCaptions.language, language))

const languageName = (language: string) =>
  new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language

/** Sets the captions of a file in a language. @throws 404; 409 for too many languages; 422 if they are not WebVTT */
export async function saveCaptions(
  work: UnitOfWork,
  { id, language }: { id: number; language: string },
  { label, content }: { label?: string | undefined; content: string },
) {
  const { db } = work
  await requireWebVtt(content)
  const others = rowCount(
    mediaCaptions,
    sql`${mediaCaptions.mediaId} = ${id} and ${mediaCaptions.language} <> ${language}`,
  )
  const [rows, current, [counted]] = await work.read([
    db.select().from(media).where(eq(media.id, id)),
    db.select().from(mediaCaptions).where(isCaption(id, language)),
    db
      .select({ others: others.as("other_languages") })
      .from(media)
      .where(eq(media.id, id)),
  ])
  const file = requireVersion(rows, "media file")
  if (file.kind !== "audio" && file.kind !== "video")
    throw invalid("id", "Only audio and video files can have captions.")
  if ((counted?.others ?? 0) >= MAX_LANGUAGES)
    throw conflict("conflict", `The file has captions in ${MAX_LANGUAGES} languages, which is the maximum.`)
  const values = { label: label ?? languageName(language), content }
  const answer = { message: "Captions saved." }
  const [stored] = current
  if (stored && stored.label === values.label && stored.content === content) return work.commit([], answer)
  return work.commit(
    [
      db
        .insert(mediaCaptions)
        .values({ mediaId: id, language, ...values, updatedAt: now() })
        .onConflictDoUpdate({
          target: [mediaCaptions.mediaId, mediaCaptions.language],
          set: { ...values, updatedAt: now() },
        }),
      updateChanged(db, media, file, {}),
      work.audit("updated", "media file", { id, name: file.name }, { captions: language }),
    ],
    answer,
  )
}

/** Deletes the captions of a file in a language. @throws 404 */
export async function deleteCaptions(work: UnitOfWork, id: number, language: string) {
  const { db } = work
  const [rows, current] = await work.read([
    db.select().from(media).where(eq(media.id, id)),
    db.select({ language: mediaCaptions.language }).from(mediaCaptions).where(isCaption(id, language)),
  ])
  const file = requireVersion(rows, "media file")
  if (current.length === 0) throw notFound("captions")
  return work.commit(
    [
      db.delete(mediaCaptions).where(isCaption(id, language)),
      updateChanged(db, media, file, {}),
      work.audit("updated", "media file", { id, name: file.name }, { captionsDeleted: language }),
    ],
    { message: "Captions deleted." },
  )
}

/** The captions of a file for those who may see it. @throws 404 */
export async function getCaptions(db: Database, caller: Caller, id: number, language: string): Promise<string> {
  const [rows] = await db.batch([
    db
      .select({ content: mediaCaptions.content })
      .from(mediaCaptions)
      .innerJoin(media, eq(media.id, mediaCaptions.mediaId))
      .where(and(isCaption(id, language), canSeeMedia(caller))),
  ])
  const [found] = rows
  if (!found) throw notFound("captions")
  return found.content
}
