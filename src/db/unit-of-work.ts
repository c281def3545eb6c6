import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm"
import type { BatchItem, BatchResponse } from "drizzle-orm/batch"
import { sqliteTable } from "drizzle-orm/sqlite-core"
import { type AUDIT_ACTIONS, auditEntry, auditLogs } from "../../drizzle/schema/audit.ts"
import { guards, idempotencyKeys, type SEQUENCES, sequences } from "../../drizzle/schema/system.ts"
import type { Bindings } from "../env.ts"
import type { Caller } from "../lib/caller.ts"
import { DAY, now, SECOND } from "../lib/clock.ts"
import { decrypted, encrypt, hmacs, randomId } from "../lib/crypto/crypto.ts"
import { ApiError, conflict, forbidden, invalid } from "../lib/errors.ts"
import { onDemand } from "../lib/on-demand.ts"
import type { Database } from "./client.ts"
import { insertFrom } from "./insert-from.ts"
import { asWritten } from "./select.ts"
import { runInSlices } from "./slices.ts"
import { idList, rowExists } from "./sql.ts"
import { listeningWebhooks, wakeWebhooks } from "./webhook-listeners.ts"

export type Statement = BatchItem<"sqlite">

/** The view that writes audit rows, with their numbers: `audit_logs` takes no others. */
export const auditEntries = sqliteTable("audit_entries", auditEntry)

/** The verbs of the audit log. */
export type AuditAction = (typeof AUDIT_ACTIONS)[number]

/** Thrown when a request was answered before under the same Idempotency-Key: its first answer, to be sent again. */
export class ReplayedAnswer extends Error {
  readonly status: number
  readonly answer: string
  constructor(status: number, answer: string) {
    super("Answered before")
    this.status = status
    this.answer = answer
  }
}

/** What to answer when a unique index refuses a batch, by its first column as SQLite names it: `users.email`. */
export type UniqueErrors = Record<string, () => ApiError>

/** What to answer when a trigger refuses a batch, by the trigger's message. */
export type RefusalErrors = Record<string, () => ApiError>

/** 409: another call changed what this one had read. `retryOnConflict` runs the mutation again. */
export class ConflictError extends ApiError {
  constructor(message = "The records changed while this call ran. Nothing was changed by it; repeat the call.") {
    super("conflict", message)
  }
}

/** An Idempotency-Key, and what the request hashes to: first as it is kept now. */
interface Key {
  key: string
  requests: [string, ...string[]]
}

/**
 * How it is told whether a batch has landed, should its answer be lost: the condition that it has, by what it writes
 * anyhow; `row`: it writes a row for that alone, as one under an Idempotency-Key does. Unless told, by its audit rows,
 * or else by a row.
 */
export type CommitMarker = "row" | (() => SQL)

const landing = onDemand(() => import("./commit-marker.ts"))

/** Statements that run before the others of their batch, and what is told the rows that each answers. */
const firstStatements = new WeakMap<object, (rows: unknown[]) => void>()

/**
 * Has a statement see the database as the batch of its change finds it, wherever the statement stands among the others.
 * @param tell is told the rows that it answers, once the batch has landed; not where that batch's answer was lost
 */
export function firstOfBatch<Row>(
  statement: Statement & { _: { result: Row[] } },
  tell: (rows: Row[]) => void,
): Statement {
  firstStatements.set(statement, tell as (rows: unknown[]) => void)
  return statement
}

/** What is called with the rows that a statement returned, once its batch is committed. */
const observers = new WeakMap<object, (rows: unknown[]) => void>()

/** Calls `observe` with the rows of a statement once its batch is committed; not where the answer was lost. */
export function whenCommitted<Row>(
  statement: Statement & { _: { result: Row[] } },
  observe: (rows: Row[]) => void,
): Statement {
  observers.set(statement, observe as (rows: unknown[]) => void)
  return statement
}

/** By the statements that write audit rows: the number that these have of their work. */
const auditCounts = new WeakMap<object, number>()

/** How many audit rows others may write between a batch and the question whether it landed. */
const RECENT_AUDIT_ROWS = 1000

/** The condition that audit rows of these works are there. */
const isAudited = (works: number[]) =>
  rowExists(
    auditLogs,
    sql`${auditLogs.id} > (select max(id) from ${auditLogs}) - ${RECENT_AUDIT_ROWS}
      and ${auditLogs.work} in ${idList(works)}`,
  )

/** 503: the operator keeps the academy as it is, such as while it is copied. */
const readOnlyError = () =>
  new ApiError("unavailable", "The academy can only be read for now. Nothing was changed; repeat the call later.", {
    headers: { "retry-after": "60" },
  })

/** How long a mutation is run again, and how many queries it makes, of the 1,000 that D1 allows in an invocation. */
const MAX_RETRYING = 30 * SECOND
const MAX_QUERIES = 900
/** The longest wait before a run, in ms. */
const MAX_BACKOFF = 2 * SECOND

/**
 * One mutation: at most one trip that reads what it needs (`read`), then one that writes everything (`commit`): the
 * change, its audit row, its outbox rows and its Idempotency-Key, all or nothing.
 */
export class UnitOfWork {
  readonly db: Database
  readonly caller: Caller
  readonly env: Bindings
  /** false: what calls gets the answer without the change, such as a link. */
  mayChange = true
  private key: Key | undefined

  constructor(db: Database, caller: Caller, env: Bindings) {
    this.db = db
    this.caller = caller
    this.env = env
  }

  /**
   * Runs a mutation again when another call changed what it had read, so that the answer describes what it then finds.
   * Runs wait longer and longer, each for a random time, so that many calls of one record all get through.
   * @throws 409 after the last run
   */
  async retryOnConflict<A>(run: () => Promise<A>): Promise<A> {
    const until = now() + MAX_RETRYING
    for (let runs = 1; ; runs++) {
      const before = this.db.meter.queries
      try {
        return await run()
      } catch (error) {
        const { queries } = this.db.meter
        const isSpent = queries + (queries - before) > MAX_QUERIES || now() > until
        if (!(error instanceof ConflictError) || isSpent) throw error
      }
      await scheduler.wait(Math.random() * Math.min(MAX_BACKOFF, 50 * 2 ** runs))
      // The change that won is at the primary; a replica may not have it yet.
      this.db.renew()
    }
  }

  /** Takes the request's Idempotency-Key. `request` is all that makes two requests the same. */
  under(key: string, request: string | Uint8Array) {
    this.key = { key, requests: hmacs(this.env, "idempotency", request) }
  }

  /** The first trip. @throws Replay when the request was answered before. */
  async read<U extends Statement, T extends Readonly<[U, ...U[]]>>(statements: T): Promise<BatchResponse<T>> {
    if (this.key)
      this.db.check({
        statement: this.firstAnswer(this.key.key),
        verify: (rows) => this.replay(rows as FirstAnswer[]),
      })
    return this.db.batch(statements)
  }

  /**
   * The one batch that changes anything. What it answers is known before it runs, and is kept under the request's
   * Idempotency-Key by the same batch.
   * @param overtaken what to throw when a `guard` does not hold; an `ConflictError` unless given
   * @param mark of a batch that has no audit row, or may have none
   * @throws the error given for a unique index or a trigger; conflict when a `guard` does not hold, or when a row that
   *   is referred to has just gone; Replay; 503 where the database is out of reach, as landing.ts tells.
   */
  async commit<A extends object>(
    statements: Statement[],
    answer: A,
    {
      unique = {},
      refused = {},
      status = 200,
      overtaken = () => new ConflictError(),
      mark,
    }: {
      unique?: UniqueErrors
      refused?: RefusalErrors
      status?: number
      overtaken?: () => ApiError
      mark?: CommitMarker
    } = {},
  ): Promise<A> {
    if (this.env.READ_ONLY) throw readOnlyError()
    if (!this.mayChange) throw forbidden("This call may only read.", "cross_origin_forbidden")
    const inOrder = [
      ...statements.filter((statement) => firstStatements.has(statement)),
      ...statements.filter((statement) => !firstStatements.has(statement)),
    ]
    const { batch, landed } = this.marked(inOrder, status, answer, mark)
    const [first, ...rest] = batch
    if (!first) return answer
    await this.db.settleChecks()
    try {
      wakeWebhooks(this.env, await this.land([first, ...rest, listeningWebhooks(this.db)], landed))
    } catch (error) {
      const reason = reasonOf(error)
      if (this.key && reason.includes("idempotency_keys.")) {
        const [rows] = await this.db.batch([this.firstAnswer(this.key.key)])
        this.replay(rows)
      }
      if (reason.includes("CHECK constraint failed: guard")) throw overtaken()
      for (const [message, known] of Object.entries(refused)) if (reason.includes(message)) throw known()
      for (const [column, known] of Object.entries(unique))
        if (reason.includes(`UNIQUE constraint failed: ${column}`)) throw known()
      // A call reads first what it names: a row that is missing now went in between.
      if (reason.includes("FOREIGN KEY constraint failed"))
        throw new ConflictError(
          "What this call names was deleted while it ran. Nothing was changed by it; repeat the call.",
        )
      throw error
    }
    return answer
  }

  /** Sends the batch. @returns which webhooks are to be woken */
  private async land(batch: [Statement, ...Statement[]], landed: () => SQL) {
    const { db } = this
    try {
      const results: unknown[] = await db.batch(batch)
      for (const [at, statement] of batch.entries())
        (firstStatements.get(statement) ?? observers.get(statement))?.(results[at] as unknown[])
      return results.at(-1) as { id: number }[]
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      return (await landing()).resolveUnknownOutcome(error, {
        db,
        guard: (condition) => this.guard(condition),
        batch,
        landed,
      })
    }
  }

  /** The batch with what it is known by afterwards, and the condition that it has landed. */
  private marked(statements: Statement[], status: number, answer: object, mark: CommitMarker | undefined) {
    if (this.key) {
      // The key comes first: of two such calls at once, the later finds it taken before any guard or unique index.
      const { key, requests } = this.key
      const kept = { key, request: requests[0], status, answer: encrypt(this.env, JSON.stringify(answer)) }
      return { batch: [this.keep(kept), ...statements], landed: () => this.isKept(kept) }
    }
    if (statements.length === 0) return { batch: statements, landed: () => sql`true` }
    if (typeof mark === "function") return { batch: statements, landed: mark }
    const works = mark === "row" ? [] : statements.flatMap((statement) => auditCounts.get(statement) ?? [])
    if (works.length > 0) return { batch: statements, landed: () => isAudited(works) }
    const own = { key: `work ${crypto.randomUUID()}`, request: "", status, answer: "" }
    return { batch: [this.keep(own), ...statements], landed: () => this.isKept(own) }
  }

  /**
   * Gives out `count` ids of a table, a number or a query of one.
   * @param when a condition for giving out any; `wanted.count` in it is `count`
   * @returns a statement answering one row, `last`: the ids end with it
   */
  nextIds(table: (typeof SEQUENCES)[number], count: number | SQL = 1, when: SQL = sql`true`) {
    return asWritten<{ last: number }>(
      this.db,
      sql`with wanted as materialized (select ${count} as count)
        insert into ${sequences} (name, value) select ${table}, wanted.count from wanted where ${when}
        on conflict (name) do update set value = value + excluded.value
        returning value as last`,
    )
  }

  /** An audit row, for the same batch as the change. `details` holds what changed, never a secret. */
  audit(
    action: AuditAction,
    subject: string,
    record: { id: number | null; name: string },
    details: Record<string, unknown> = {},
  ) {
    const work = randomId()
    const statement = this.db.insert(auditEntries).values({
      performedBy: this.caller.id,
      action,
      subject,
      subjectId: record.id,
      effectOn: record.name,
      details,
      createdAt: now(),
      work,
    })
    auditCounts.set(statement, work)
    return statement
  }

  /**
   * The audit rows of many records of one kind, read by the same batch, which does nothing where there are none.
   * @param records a query of `id`, `name` and `details` (JSON)
   */
  auditMany(action: AuditAction, subject: string, records: SQL) {
    const work = randomId()
    const statement = insertFrom(
      this.db,
      auditEntries,
      {
        performedBy: this.caller.id,
        action,
        subject,
        subjectId: sql`id`,
        effectOn: sql`name`,
        details: sql`details`,
        createdAt: now(),
        work,
      },
      sql`from (${records}) where true`,
    )
    auditCounts.set(statement, work)
    return statement
  }

  /** Makes the whole batch fail with a 409 unless `condition` holds when the batch runs. */
  guard(condition: SQL) {
    return insertFrom(this.db, guards, { holds: 0 }, sql`where not (${condition})`)
  }

  private firstAnswer(key: string) {
    return this.db
      .select({
        request: idempotencyKeys.request,
        status: idempotencyKeys.status,
        answer: idempotencyKeys.answer,
      })
      .from(idempotencyKeys)
      .where(
        and(
          eq(idempotencyKeys.client, this.caller.client),
          eq(idempotencyKeys.key, key),
          gt(idempotencyKeys.createdAt, now() - DAY),
        ),
      )
  }

  private replay([first]: FirstAnswer[]) {
    if (!first) return
    if (!this.key?.requests.includes(first.request))
      throw invalid("Idempotency-Key", "Idempotency-Key was used before with another request; send a new key.")
    const answer = decrypted(this.env, first.answer)
    if (answer === undefined)
      throw conflict("conflict", "This call was made before, but its answer is lost. Look what came of it.")
    throw new ReplayedAnswer(first.status, answer)
  }

  private isKept({ key, answer }: Kept) {
    const row = sql`${idempotencyKeys.client} = ${this.caller.client} and ${idempotencyKeys.key} = ${key}`
    return rowExists(idempotencyKeys, sql`${row} and ${idempotencyKeys.answer} = ${answer}`)
  }

  /** A key of more than 24 hours is written over; a younger one makes the batch fail. */
  private keep({ key, request, status, answer }: Kept) {
    const row = { client: this.caller.client, key, request, status, answer, createdAt: now() }
    return this.db
      .insert(idempotencyKeys)
      .values(row)
      .onConflictDoUpdate({
        target: [idempotencyKeys.client, idempotencyKeys.key],
        // NULL is refused by the column, which is how a key still alive stops the batch.
        set: {
          ...row,
          request: sql`case when ${idempotencyKeys.createdAt} <= ${now() - DAY} then ${request} end`,
        },
      })
  }
}

/** Runs what is to refer to files that were stored: unless it comes to, or may have, they are discarded. */
export async function withCleanup<T>(discard: () => Promise<unknown>, refer: () => Promise<T>): Promise<T> {
  try {
    return await refer()
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "outcome_unknown")) await discard()
    throw error
  }
}

/** Forgets the answers that are past their 24 hours. Run by the cron. */
export async function deleteExpiredAnswers(db: Database): Promise<void> {
  const { client, key, createdAt } = idempotencyKeys
  await runInSlices(db, 2, (limit) =>
    db
      .delete(idempotencyKeys)
      .where(
        sql`(${client}, ${key}) in (
          select client, key from ${idempotencyKeys} where ${lte(createdAt, now() - DAY)} limit ${limit}
        )`,
      )
      .returning({ key }),
  )
}

/** What is kept under a key. */
interface Kept {
  key: string
  request: string
  status: number
  /** Sealed. */
  answer: string
}

interface FirstAnswer {
  request: string
  status: number
  answer: string
}

/** D1's own words on why a statement failed, whatever wraps them. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause ? `${error.message} ${reasonOf(error.cause)}` : error.message
}
