import { eq, getTableColumns, sql } from "drizzle-orm"
import { transcripts } from "../../../drizzle/schema/transcripts.ts"
import { userLanguage } from "../../access/accounts.ts"
import { canSeeUser, guardUserExists } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { selectSettings } from "../../db/settings.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { type Caller, userIdOf } from "../../lib/caller.ts"
import { DAY, now } from "../../lib/clock.ts"
import { randomCode, sha256Text } from "../../lib/crypto/crypto.ts"
import { notFound } from "../../lib/errors.ts"
import { isoTime } from "../../lib/text/dates.ts"
import { fullName } from "../../lib/text/words.ts"
import { academyZone, findZone } from "../../lib/text/zones.ts"
import { siteName } from "../../lib/web/academy.ts"
import { toTranscript } from "./transcript-content.ts"
import { type IssuedRow, type PersonRow, selectTranscript, type TranscriptRows } from "./transcript-rows.ts"
import { type Transcript, transcriptContent } from "./transcripts.schemas.ts"

const CODE_LENGTH = 24

const toIssued = (origin: string, { id, code, issuedAt, digest }: IssuedRow) => ({
  id,
  code,
  verifyUrl: `${origin}/transcript/${code}`,
  issuedAt: isoTime(issuedAt),
  digest,
})

/** What the transcript says: this is stored when it is issued. */
const contentOf = (env: Bindings, person: PersonRow, rows: TranscriptRows): Transcript => ({
  name: fullName(person),
  academy: siteName(env, person.site),
  timeZone: findZone(person.zone ?? "") ?? academyZone(env),
  ...toTranscript(rows),
})

/** Returns a person's courses with all cycles, and their issued transcripts. @throws 404 */
export async function getTranscript({ db, caller, env }: UnitOfWork, origin: string, userId: number) {
  const [people, enrollments, cycles, changes, certificates, issued] = await db.batch(
    selectTranscript(db, caller, userId),
  )
  const [person] = people
  if (!person) throw notFound("user")
  return {
    userId,
    email: person.email,
    ...contentOf(env, person, { enrollments, cycles, changes, certificates }),
    issued: issued.map((row) => toIssued(origin, row)),
  }
}

/**
 * Issues a transcript: stores its content under a random code. Within a day, unchanged records return the same one.
 * @throws 404
 */
export async function issueTranscript(work: UnitOfWork, origin: string, userId: number) {
  const { db, caller, env } = work
  const [people, enrollments, cycles, changes, certificates, issued, ids] = await work.read([
    ...selectTranscript(db, caller, userId),
    work.nextIds("transcripts"),
  ])
  const [person] = people
  if (!person) throw notFound("user")
  const content = JSON.stringify(contentOf(env, person, { enrollments, cycles, changes, certificates }))
  const digest = sha256Text(content)
  const last = issued.at(-1)
  if (last?.digest === digest && last.issuedAt > now() - DAY)
    return work.commit([], { ...toIssued(origin, last), message: "This transcript was issued before." })
  const row = { id: firstRow(ids).last, code: randomCode(CODE_LENGTH), issuedAt: now(), digest }
  return work.commit(
    [
      guardUserExists(work, userId),
      db.insert(transcripts).values({ ...row, userId, issuedBy: userIdOf(caller), content }),
      work.audit("created", "transcript", { id: row.id, name: fullName(person) }, { userId, digest }),
    ],
    { ...toIssued(origin, row), message: "Transcript issued." },
  )
}

type Stored = typeof transcripts.$inferSelect

const readContent = ({ content }: Stored): Transcript => transcriptContent.parse(JSON.parse(content))

/** Returns an issued transcript. @throws 404 */
export async function getIssuedTranscript(db: Database, caller: Caller, id: number) {
  const [[found]] = await db.batch([
    db
      .select({ ...getTableColumns(transcripts), language: userLanguage(transcripts.userId) })
      .from(transcripts)
      .where(sql`${transcripts.id} = ${id} and ${canSeeUser(caller, transcripts.userId)}`),
  ])
  if (!found) throw notFound("transcript")
  return { ...found, transcript: readContent(found) }
}

/** Returns the transcript with a code, and whether its content is what was issued; undefined without one. */
export async function verifyTranscript(db: Database, code: string) {
  const [[found], [academy = null]] = await db.batch([
    db.select().from(transcripts).where(eq(transcripts.code, code)),
    selectSettings(db),
  ])
  const issued = found && {
    ...found,
    isGenuine: sha256Text(found.content) === found.digest,
    transcript: readContent(found),
  }
  return { issued, academy }
}
