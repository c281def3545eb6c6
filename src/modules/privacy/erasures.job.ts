import { type AnyColumn, and, eq, getTableColumns, getTableName, lte, ne, not, or, type SQL, sql } from "drizzle-orm"
import { getTableConfig } from "drizzle-orm/sqlite-core"
import { z } from "zod"
import { assignmentUploads } from "../../../drizzle/schema/assignments.ts"
import { auditLogs, auditPeople } from "../../../drizzle/schema/audit.ts"
import { bulkUploadChunks, bulkUploads } from "../../../drizzle/schema/bulk-uploads.ts"
import { erasures } from "../../../drizzle/schema/erasures.ts"
import { events } from "../../../drizzle/schema/events.ts"
import { exportJobs } from "../../../drizzle/schema/exports.ts"
import { mailings, outbox } from "../../../drizzle/schema/outbox.ts"
import { portals } from "../../../drizzle/schema/portals.ts"
import { submissionFiles } from "../../../drizzle/schema/submissions.ts"
import { webhookDeliveries, webhooks } from "../../../drizzle/schema/webhooks.ts"
import { type Database, openDatabase } from "../../db/client.ts"
import { REQUEUE_DELAY_MS } from "../../db/lease.ts"
import { rawStatement } from "../../db/select.ts"
import { idList, inFirstIds, rowExists, textList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import { callerAs } from "../../lib/caller.ts"
import { HOUR, MINUTE, now } from "../../lib/clock.ts"
import { decrypted } from "../../lib/crypto/crypto.ts"
import { discardAttempt } from "../exports/exports.job.ts"
import { exportLease } from "../exports/exports.queries.ts"
import { ERASURE_STAGES, enqueueErasure, erasureLease, sealedSubject } from "./erasures.queries.ts"
import {
  type DataPlace,
  type DataSubject,
  ERASED,
  erasedName,
  mailedTo,
  ofOwnUpload,
  PLACES,
  tellsOf,
} from "./personal-data.ts"

// An erasure goes on chunk by chunk: a trip that reads what is next, and a batch that takes it out and writes down the
// place. The batch fails unless the job is still the consumer's own; a chunk that is done twice finds nothing to do.
// Nothing gives an erasure up: one whose consumers fail is tried again for as long as it takes.

/** How long one invocation goes on, and how many chunks: it has 1,000 queries. A fresh message carries on. */
const SLICE = { time: 2 * MINUTE, chunks: 60 }
/** How many rows of a table one chunk changes, and how many it passes of one that no index leads into. */
const CHANGED = 200
const PASSED = 2000
/** How many jobs one run of the sweep looks after. */
const SWEPT = 50

const message = z.object({ userId: z.number().int() })
const SUBJECT = z.object({ emails: z.array(z.string()), names: z.array(z.string()) })

type Job = typeof erasures.$inferSelect
/** The key behind which a stage goes on; null: from its beginning. */
type After = Job["after"]
interface Chunk {
  statements: Statement[]
  after?: After
}

/** The consumer of the erasures queue. @throws when the attempt failed */
export async function runErasure(env: Bindings, body: unknown): Promise<void> {
  const { userId } = message.parse(body)
  const db = openDatabase(env.DB, "first-primary")
  const token = erasureLease.newToken()
  const at = now()
  const [claimed] = await db.batch([
    db
      .update(erasures)
      .set(erasureLease.taken(token, at))
      .where(and(eq(erasures.userId, userId), erasureLease.idle(at)))
      .returning(),
  ])
  const [job] = claimed
  // Completed, or another delivery is at work: nothing to do.
  if (job) await new Attempt(env, db, job, token).run()
}

/** Queues again the erasures that nobody works on. */
export async function resumeErasures(env: Bindings): Promise<void> {
  const db = openDatabase(env.DB, "first-primary")
  const at = now()
  const [waiting] = await db.batch([
    db
      .update(erasures)
      .set(erasureLease.queued(at))
      .where(
        and(
          inFirstIds(erasures.userId, sql`${lte(erasures.dueAt, at)} order by ${erasures.dueAt}`, SWEPT),
          erasureLease.idle(at),
        ),
      )
      .returning({ userId: erasures.userId }),
  ])
  await Promise.all(waiting.map(({ userId }) => enqueueErasure(env, userId)))
}

/** One consumer's time with an erasure. */
class Attempt {
  private readonly env: Bindings
  private readonly db: Database
  private readonly work: UnitOfWork
  private readonly job: Job
  private readonly mine: SQL
  private person: DataSubject
  private readonly stages: ((after: After) => Promise<Chunk | undefined>)[]

  constructor(env: Bindings, db: Database, job: Job, token: string) {
    this.env = env
    this.db = db
    this.job = job
    this.mine = erasureLease.heldBy(job.userId, token)
    this.work = new UnitOfWork(db, callerAs(job.callerId, "owner", `erasure:${job.userId}`), env)
    // Sealed under a secret that was lost: then what the audit log tells is looked for.
    const subject = decrypted(env, job.subject ?? "") ?? '{"emails":[],"names":[]}'
    this.person = { id: job.userId, ...SUBJECT.parse(JSON.parse(subject)) }
    this.stages = [
      (after) => this.formerNames(after),
      () => this.ownRows(),
      () => this.files(),
      (after) => this.audit(after),
      (after) => this.events(after),
      (after) => this.mails(after),
      (after) => this.uploads(after),
      (after) => this.exports(after),
      (after) => this.search(after),
      () => this.mentions(),
    ]
    if (this.stages.length !== ERASURE_STAGES) throw new Error("ERASURE_STAGES is not the number of stages.")
  }

  async run(): Promise<void> {
    const until = now() + SLICE.time
    let { stage, after } = this.job
    try {
      for (let chunks = 0; chunks < SLICE.chunks && now() < until; chunks++) {
        const chunk = await this.stages[stage]?.(after)
        if (chunk) after = chunk.after ?? null
        else [stage, after] = [stage + 1, null]
        if (stage === this.stages.length) return await this.complete()
        await this.commit(chunk?.statements ?? [], {
          stage,
          after,
          attempts: 0,
          subject: sealedSubject(this.env, this.person),
          ...erasureLease.renewed(now()),
        })
      }
    } catch (error) {
      await this.release(Math.min(HOUR, REQUEUE_DELAY_MS * 2 ** this.job.attempts))
      throw error
    }
    await this.release(REQUEUE_DELAY_MS)
    await enqueueErasure(this.env, this.job.userId)
  }

  private async commit(
    statements: Statement[],
    place: Partial<Job> & Pick<Job, "stage" | "leaseUntil">,
  ): Promise<void> {
    const put = this.db.update(erasures).set(place).where(this.mine)
    const { userId, stage, after, leaseUntil } = erasures
    const key = place.after ? JSON.stringify(place.after) : null
    const there = and(
      eq(userId, this.job.userId),
      eq(stage, place.stage),
      sql`${after} is ${key}`,
      eq(leaseUntil, place.leaseUntil),
    )
    await this.work.commit(
      [this.work.guard(rowExists(erasures, this.mine)), ...statements, put],
      {},
      { mark: () => rowExists(erasures, there) },
    )
  }

  private complete() {
    const done = { status: "completed" as const, completedAt: now(), subject: null, after: null }
    return this.commit([], { ...done, stage: this.stages.length, ...erasureLease.over })
  }

  private async release(wait: number) {
    const at = now()
    await this.db.batch([
      this.db
        .update(erasures)
        .set(erasureLease.released(at, at + wait))
        .where(this.mine),
    ])
  }

  /** What the person was called before: the audit log's rows of the user tell. */
  private async formerNames(after: After): Promise<Chunk | undefined> {
    if (after) return undefined
    const { id } = this.person
    const [rows] = await this.db.batch([
      rawStatement<{ name: string; email: string | null }>(
        this.db,
        sql`select distinct ${auditLogs.effectOn} as name, ${auditLogs.details} ->> '$.email' as email
          from ${auditLogs}
          where ${auditLogs.subject} = 'user' and ${auditLogs.subjectId} = ${id} and (
            ${auditLogs.performedBy} = ${id} or ${auditLogs.id} in (
              select ${auditPeople.logId} from ${auditPeople} where ${auditPeople.userId} = ${id}
            )
          )`,
      ),
    ])
    const emails = [...this.person.emails, ...rows.flatMap(({ email }) => email ?? [])]
    const names = [...this.person.names, ...rows.map(({ name }) => name)].filter((name) => name !== erasedName(id))
    this.person = {
      id,
      // As given, and as lists and rules have them.
      emails: [...new Set(emails.flatMap((email) => [email, email.toLowerCase()]))],
      names: [...new Set(names)].filter(Boolean),
    }
    return { statements: [], after: [1] }
  }

  /** The rows that are the person's own, as PLACES says of each table. */
  private async ownRows(): Promise<Chunk | undefined> {
    const { db, person } = this
    const places = PLACES.filter((place) => which(place, person))
    const [[found]] = await db.batch([
      rawStatement<Record<string, number>>(
        db,
        sql`select ${sql.join(
          places.map((place) => sql`${rowExists(place.table, which(place, person))} as ${nameOf(place)}`),
          sql`, `,
        )}`,
      ),
    ])
    const left = places.filter((place) => found?.[getTableName(place.table)])
    if (left.length === 0) return undefined
    return {
      statements: left.map((place) => {
        const { table, erasure } = place
        const keys = keyOf(table)
        const some = sql`(${keys}) in (select ${keys} from ${table} where ${which(place, person)} limit ${CHANGED})`
        return erasure.how === "changed" ? db.update(table).set(erasure.to).where(some) : db.delete(table).where(some)
      }),
    }
  }

  /** The files that the person submitted: out of R2 first, so that a row is left for those that are. */
  private async files(): Promise<Chunk | undefined> {
    const { db, env } = this
    const [found] = await db.batch([
      db
        .select({ id: assignmentUploads.id, objectKey: assignmentUploads.objectKey })
        .from(assignmentUploads)
        .where(ofOwnUpload(this.person))
        .limit(CHANGED),
    ])
    if (found.length === 0) return undefined
    await env.FILES.delete(found.map(({ objectKey }) => objectKey))
    const ids = idList(found.map(({ id }) => id))
    return {
      statements: [
        db.delete(submissionFiles).where(sql`${submissionFiles.uploadId} in ${ids}`),
        db.delete(assignmentUploads).where(sql`${assignmentUploads.id} in ${ids}`),
      ],
    }
  }

  /** The audit log: every row stays, with its number, its moment, who did it and what kind of record it was done to. */
  private async audit(after: After): Promise<Chunk | undefined> {
    const { db, person } = this
    const span = await this.span([auditLogs.id], after)
    if (!span) return undefined
    const { id } = person
    const { subject, subjectId, performedBy, effectOn, details } = auditLogs
    const undergone = (log: SQL) => sql`${log} in (
      select ${auditPeople.logId} from ${auditPeople} where ${auditPeople.userId} = ${id}
    )`
    const isUser = sql`(${subject} in ('user', 'badge award') and ${subjectId} = ${id})`
    const records = sql`(${subject} in ${textList(RECORDS)} and (${subject}, ${subjectId}) in (
      select made.subject, made.subject_id from ${auditLogs} as made
      where made.action = 'created' and made.subject in ${textList(RECORDS)}
        and ((made.performed_by = ${id} and not made.others) or ${undergone(sql`made.id`)})
    ))`
    const linked = sql`(${performedBy} = ${id} or ${undergone(sql`${auditLogs.id}`)})`
    const own = sql`(${isUser} or ${records} or (
      ${subject} in ${textList(PERSONAL)}
      and ((${performedBy} = ${id} and not ${auditLogs.others}) or ${undergone(sql`${auditLogs.id}`)})
    ))`
    const named = sql`(${subject} in ('export', 'portal', 'webhook') or ${linked})`
    const sought = sql`(${subject} = 'export' and ${seeks(details, person)})`
    const cut = (column: AnyColumn) => sql`iif(${named}, ${without(column, person)}, ${withoutEmails(column, person)})`
    return {
      statements: [
        db
          .update(auditLogs)
          .set({
            effectOn: sql`case
              when ${isUser} then ${erasedName(id)}
              when ${own} and ${subject} in ${textList(CALLED)} then ${ERASED}
              else ${cut(effectOn)}
            end`,
            details: sql`case
              when ${own} then ${withoutWords(details)}
              when ${sought} then json_replace(${cut(details)}, '$.filter', ${ERASED})
              else ${cut(details)}
            end`,
          })
          .where(sql`${span.within} and (
            ${own}
            or ${holds([effectOn, details], person.emails)}
            or (${named} and ${holds([effectOn, details], phrases(person))})
            or ${sought}
          )`),
      ],
      after: span.end,
    }
  }

  /** The feed: every event stays at its place. What receivers answered to those of the person goes. */
  private async events(after: After): Promise<Chunk | undefined> {
    const { db, person } = this
    const span = await this.span([events.id], after)
    if (!span) return undefined
    const { webhookId, eventId } = webhookDeliveries
    // The person comes first: their id, name, email address, first and last name, as far as the event has them.
    const [name, email, firstName, lastName] = [erasedName(person.id), ERASED, erasedName(person.id), ""]
    return {
      statements: [
        db
          .update(webhookDeliveries)
          .set({ answer: "", error: "" })
          .where(sql`(${webhookId}, ${eventId}) in (
            select ${webhooks.id}, ${events.id} from ${webhooks} cross join ${events}
            where ${span.within} and ${tellsOf(person)}
          ) and (${webhookDeliveries.answer} <> '' or ${webhookDeliveries.error} <> '')`),
        db
          .update(events)
          .set({
            data: sql`json_replace(
              ${events.data}, '$[0][1]', ${name}, '$[0][2]', ${email}, '$[0][3]', ${firstName}, '$[0][4]', ${lastName}
            )`,
          })
          .where(sql`${span.within} and ${tellsOf(person)}`),
      ],
      after: span.end,
    }
  }

  /** Mails to the person are deleted; what mails to others say of them goes out of those. */
  private async mails(after: After): Promise<Chunk | undefined> {
    const { db, person } = this
    const span = await this.span([outbox.mailingId, outbox.number], after)
    if (!span) return undefined
    const inSpan = sql`${mailings.id} >= ${after?.[0] ?? ""} and ${mailings.id} <= ${span.end[0]}`
    return {
      statements: [
        db.delete(outbox).where(sql`${span.within} and ${mailedTo(person)}`),
        db
          .delete(mailings)
          .where(sql`${inSpan} and not ${rowExists(outbox, sql`${outbox.mailingId} = ${mailings.id}`)}`),
        db
          .update(mailings)
          .set({ template: without(mailings.template, person) })
          .where(sql`${inSpan} and ${holds([mailings.template], marks(person))}`),
      ],
      after: span.end,
    }
  }

  /** Bulk uploads that named the person, in their file's name or among the rows that failed. */
  private async uploads(after: After): Promise<Chunk | undefined> {
    const { db, person } = this
    const span = await this.span([bulkUploads.id], after)
    if (!span) return undefined
    const [from = 0] = after ?? []
    const inSpan = sql`${bulkUploadChunks.uploadId} > ${from} and ${bulkUploadChunks.uploadId} <= ${span.end[0]}`
    return {
      statements: [
        db
          .update(bulkUploads)
          .set({ name: without(bulkUploads.name, person) })
          .where(sql`${span.within} and ${holds([bulkUploads.name], marks(person))}`),
        db
          .update(bulkUploadChunks)
          .set({ errors: without(bulkUploadChunks.errors, person) })
          .where(sql`${inSpan} and ${holds([bulkUploadChunks.errors], marks(person))}`),
      ],
      after: span.end,
    }
  }

  /**
   * Every export that was asked for before: whoever's it is, its file may hold the person, and what was asked for may
   * name them. What is done has expired; what is being written begins anew, of rows in which the person is nobody: with
   * another token no message goes on with what there is.
   */
  private async exports(after: After): Promise<Chunk | undefined> {
    const { db, env, job, person } = this
    const before = lte(exportJobs.createdAt, job.createdAt)
    const isRunning = eq(exportJobs.status, "processing")
    const at = now()
    const [ended] = await db.batch([
      db
        .select()
        .from(exportJobs)
        .where(and(before, not(isRunning), or(eq(exportJobs.status, "completed"), ne(exportJobs.filter, "{}"))))
        .limit(SWEPT),
    ])
    if (ended.length === 0 && after) return undefined
    const done = ended.filter(({ status }) => status === "completed")
    for (const { objectKey, ...one } of done) {
      await discardAttempt(env, one)
      if (objectKey) await env.FILES.delete(objectKey)
    }
    const among = (jobs: { id: string }[]) => sql`${exportJobs.id} in ${textList(jobs.map(({ id }) => id))}`
    const settled = [
      db
        .update(exportJobs)
        .set({ status: "expired", objectKey: null, upload: null, ...exportLease.over })
        .where(among(done)),
      db.update(exportJobs).set({ filter: "{}" }).where(among(ended)),
    ]
    if (after) return { statements: settled, after }
    const says = sql`(${exportJobs.callerId} = ${person.id} or ${seeks(exportJobs.filter, person)})`
    return {
      statements: [
        ...settled,
        db
          .update(exportJobs)
          .set({
            status: "cancelled",
            message: "Cancelled: it was about, or by, a person who was erased.",
            filter: "{}",
          })
          .where(and(isRunning, says)),
        db
          .update(exportJobs)
          .set({ ...exportLease.released(at, at), attempts: 0, lease: sql`${exportJobs.lease} || '.0'` })
          .where(and(before, isRunning)),
      ],
      after: [1],
    }
  }

  /**
   * The search for users: what is deleted of a full-text index stays in it until its segments are merged. All of them
   * are, some pages at a time, until there is nothing to merge.
   */
  private async search(after: After): Promise<Chunk | undefined> {
    const { db } = this
    const [step = 0, changes = 0] = (after ?? []) as number[]
    const counted = rawStatement<{ total: number }>(db, sql`select total_changes() as total`)
    // A first negative number takes in every segment, whatever its size; see "merge" in SQLite's FTS5.
    const merge = rawStatement(
      db,
      sql`insert into users_search (users_search, rank) values ('merge', ${step === 0 ? -MERGED : MERGED})`,
    )
    if (step > 0 && changes < 2) return undefined
    const [[before], , [behind]] = await db.batch([counted, merge, counted])
    return { statements: [], after: [step + 1, (behind?.total ?? 0) - (before?.total ?? 0)] }
  }

  /** Settings of the academy that name the person: the sender of a portal's mail, and what a webhook is for. */
  private async mentions(): Promise<Chunk | undefined> {
    const { db, person } = this
    const names = marks(person)
    const isReplyTo = holds([portals.replyTo], person.emails)
    const isSender = holds([portals.senderName], names)
    const isDescribed = holds([webhooks.description], names)
    const [[found]] = await db.batch([
      rawStatement<{ portals: number; webhooks: number }>(
        db,
        sql`select ${rowExists(portals, sql`${isReplyTo} or ${isSender}`)} as portals,
          ${rowExists(webhooks, isDescribed)} as webhooks`,
      ),
    ])
    if (!found?.portals && !found?.webhooks) return undefined
    return {
      statements: [
        db
          .update(portals)
          .set({
            replyTo: sql`iif(${isReplyTo}, null, ${portals.replyTo})`,
            senderName: sql`iif(${isSender}, null, ${portals.senderName})`,
            version: sql`${portals.version} + 1`,
          })
          .where(inFirstIds(portals.id, sql`${isReplyTo} or ${isSender}`, CHANGED)),
        db
          .update(webhooks)
          .set({ description: without(webhooks.description, person), version: sql`${webhooks.version} + 1` })
          .where(isDescribed),
      ],
    }
  }

  /** The next rows of a table that is passed as a whole, by its key; undefined at its end. */
  private async span(keys: AnyColumn[], after: After) {
    const columns = sql.join(keys, sql`, `)
    const beyond = after ? sql`(${columns}) > (${values(after)})` : sql`1`
    const table = keys[0]?.table
    const named = keys.map((key, at) => sql`${key} as ${sql.identifier(`key${at}`)}`)
    const [[last]] = await this.db.batch([
      rawStatement<Record<string, number | string>>(
        this.db,
        sql`select * from (
          select ${sql.join(named, sql`, `)} from ${table} where ${beyond} order by ${columns} limit ${PASSED}
        ) order by ${sql.join(
          keys.map((_, at) => sql`${sql.identifier(`key${at}`)} desc`),
          sql`, `,
        )} limit 1`,
      ),
    ])
    if (!last) return undefined
    const end = keys.map((_, at) => last[`key${at}`] ?? 0)
    return { end, within: sql`${beyond} and (${columns}) <= (${values(end)})` }
  }
}

/** How many pages of an index one merge writes. */
const MERGED = 500

/** Kinds of audit rows whose details are a person's own words, where the row is theirs. */
const RECORDS = ["address", "card", "cart", "consent", "order", "review", "subscription"]
const PERSONAL = [
  ...RECORDS,
  "user",
  "badge award",
  "submission",
  "quiz attempt",
  "scorm attempt",
  "assignment file",
  "class enrollment",
  "enrollment",
  "module progress",
  "certificate",
  "device",
]
/** Those whose record is called by the person's name, or by words of theirs. */
const CALLED = ["address", "card", "consent", "device", "assignment file"]
/** Members of details that say what happened, in words of the service. */
const OF_THE_SERVICE = ["userType", "status", "before", "password", "twoFactor", "by", "progress", "currency", "reason"]

const values = (given: readonly (number | string)[]) =>
  sql.join(
    given.map((value) => sql`${value}`),
    sql`, `,
  )

/** The condition for the rows of a place that are the person's and still to be erased; undefined where none are. */
function which({ erasure }: DataPlace, person: DataSubject): SQL | undefined {
  if (erasure.how === "deleted") return erasure.rows(person)
  if (erasure.how === "changed") return sql`${erasure.rows(person)} and ${erasure.still}`
  return undefined
}

const nameOf = ({ table }: DataPlace) => sql.identifier(getTableName(table))

/** The columns of a table's primary key. */
function keyOf(table: DataPlace["table"]): SQL {
  const { primaryKeys } = getTableConfig(table)
  const columns = primaryKeys[0]?.columns ?? Object.values(getTableColumns(table)).filter(({ primary }) => primary)
  return sql.join(columns, sql`, `)
}

/** Full names of several words: of one word alone nobody knows whose it is. */
const phrases = ({ names }: DataSubject) => names.filter((name) => name.includes(" "))
const marks = (person: DataSubject) => [...person.emails, ...phrases(person)]
/** As texts stand in JSON, for SQLite to compare: it knows the cases of ASCII letters alone. */
const spellings = (texts: string[]): string => {
  const all = texts.flatMap((text) => [text, text.toLowerCase(), text.toUpperCase()])
  const spelled = all.map((text) => JSON.stringify(text).slice(1, -1)).filter((text) => !ERASED.includes(text))
  return JSON.stringify([...new Set(spelled)])
}

/** The condition that any of some texts is in any of some columns, in whatever case. */
const holds = (columns: AnyColumn[], texts: string[]): SQL =>
  sql`exists (
    select 1 from ${sql.raw("json_each(")}${spellings(texts)}${sql.raw(")")} as mark
    where ${sql.join(
      columns.map((column) => sql`instr(lower(${column}), lower(mark.value))`),
      sql` or `,
    )}
  )`

/** How long a search term is at least that may mean a person by a part of their name. */
const SHORTEST_TERM = 3

/** The condition that a text somewhere in a column of JSON is a person's name or address, or a part of one. */
const seeks = (column: AnyColumn, { emails, names }: DataSubject): SQL => sql`exists (
  select 1 from json_tree(${column}) as term, json_each(${spellings([...emails, ...names])}) as mark
  where term.type = 'text' and (
    instr(lower(term.value), lower(mark.value))
    or (length(term.value) >= ${SHORTEST_TERM} and instr(lower(mark.value), lower(term.value)))
  )
)`

/** A text without some others, in whatever case: one occurrence after the other is replaced. */
const replaced = (column: AnyColumn, texts: string[]): SQL => {
  const at = sql`instr(lower(text), lower(left ->> '$[0]'))`
  return sql`(
    with recursive cut (left, text) as (
      select ${spellings(texts)}, ${column}
      union all
      select
        iif(${at}, left, json_remove(left, '$[0]')),
        iif(${at}, substr(text, 1, ${at} - 1) || ${ERASED} || substr(text, ${at} + length(left ->> '$[0]')), text)
      from cut where left <> '[]'
    )
    select text from cut where left = '[]'
  )`
}
const withoutEmails = (column: AnyColumn, { emails }: DataSubject) => replaced(column, emails)
const without = (column: AnyColumn, person: DataSubject) => replaced(column, marks(person))

/** Details of an audit row with the ids, numbers and yes-or-no that they had, and the service's own words alone. */
const withoutWords = (details: AnyColumn): SQL => sql`(
  select '{' || coalesce(group_concat(json_quote(key) || ':' || case type
    when 'text' then json_quote(iif(key in ${textList(OF_THE_SERVICE)}, value, ${ERASED}))
    when 'object' then json_quote(${ERASED})
    when 'array' then iif(
      exists (select 1 from json_each(detail.value) as item where item.type <> 'integer'), json_quote(${ERASED}), value
    )
    when 'integer' then value
    when 'real' then value
    else type
  end), '') || '}'
  from json_each(${details}) as detail
)`
