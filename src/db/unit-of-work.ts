import { type SQL, sql } from "drizzle-orm"
import type { BatchResponse } from "drizzle-orm/batch"
import type { RunnableQuery } from "drizzle-orm/runnable-query"
import { type SEQUENCES, sequences } from "../../drizzle/schema/system.ts"
import type { Bindings } from "../env.ts"
import type { Caller } from "../lib/caller.ts"
import { encrypt, hmacs } from "../lib/crypto/crypto.ts"
import { ApiError, forbidden } from "../lib/errors.ts"
import { onDemand } from "../lib/on-demand.ts"
import { type AuditAction, auditRow, auditRows, isAudited, selectAuditedId } from "./audit-rows.ts"
import { type Database, firstRow } from "./client.ts"
import { type CommitErrors, commitError, databaseMessage, retryOnConflict } from "./commit-errors.ts"
import { outcomeUnknown } from "./database-errors.ts"
import { isAnswerStored, replayStoredAnswer, selectStoredAnswer, storeAnswer } from "./idempotency.ts"
import { guardStatement } from "./insert-from.ts"
import { prepared } from "./prepared.ts"
import { rawStatement } from "./select.ts"
import { callObservers, inRunOrder, type NewId, onCommitted, type Statement } from "./statements.ts"
import { listeningWebhooks, wakeWebhooks } from "./webhook-listeners.ts"

/**
 * How to find out whether a batch was committed if its response is lost: the condition that it was, or `row` to write
 * a row for this purpose. Default: by the batch's audit rows, else by such a row.
 */
type CommitMarker = "row" | (() => SQL)

interface CommitOptions extends CommitErrors {
  status?: number
  /** For a batch that may have no audit row. */
  marker?: CommitMarker
}

interface IdempotencyKey {
  key: string
  /** The HMACs of the request with each secret, the current one first. */
  requests: [string, ...string[]]
}

const drawIds = prepared<"table" | "count", RunnableQuery<{ last: number }[], "sqlite">>((db) =>
  rawStatement(
    db,
    sql`insert into ${sequences} (name, value) values (${sql.placeholder("table")}, ${sql.placeholder("count")})
      on conflict (name) do update set value = value + excluded.value
      returning value as last`,
  ),
)

type Sequence = (typeof SEQUENCES)[number]

const drawnIds = new Map<Sequence, SQL<number>>()

/** The ID that the batch has drawn before this statement. It is the same object each time, so SQL can be prepared. */
function drawnId(table: Sequence): SQL<number> {
  const found =
    drawnIds.get(table) ??
    sql<number>`(select ${sequences.value} from ${sequences} where ${sequences.name} = ${sql.raw(`'${table}'`)})`
  drawnIds.set(table, found)
  return found
}

const commitMarker = onDemand(() => import("./commit-marker.ts"))

/** 503: the operator has made the academy read-only, such as while it is copied. */
const readOnlyError = () =>
  new ApiError("unavailable", "The academy is read-only for maintenance. Nothing was changed. Try again later.", {
    headers: { "retry-after": "60" },
  })

/**
 * One mutation: at most one round trip that reads (`read`), then one that writes (`commit`): the change, its audit row,
 * its outbox rows and its Idempotency-Key, all or nothing.
 */
export class UnitOfWork {
  readonly db: Database
  readonly caller: Caller
  readonly env: Bindings
  /** false: the caller gets the response without the change, as for a link. */
  mayChange = true
  private key: IdempotencyKey | undefined

  constructor(db: Database, caller: Caller, env: Bindings) {
    this.db = db
    this.caller = caller
    this.env = env
  }

  /** Runs a mutation again when another call changed what it had read. @throws ConflictError after the last run */
  retryOnConflict<A>(run: () => Promise<A>): Promise<A> {
    return retryOnConflict(this.db, run)
  }

  /** Sets the request's Idempotency-Key. @param request the parts that identify the request */
  setIdempotencyKey(key: string, request: string | Uint8Array) {
    this.key = { key, requests: hmacs(this.env, "idempotency", request) }
  }

  /** The first round trip. @throws ReplayedAnswer if the Idempotency-Key was used before */
  async read<U extends Statement, T extends Readonly<[U, ...U[]]>>(statements: T): Promise<BatchResponse<T>> {
    const { key } = this
    if (key)
      this.db.addCheck({
        statement: this.selectStoredAnswer(key),
        verify: (rows) => replayStoredAnswer(this.env, key.requests, rows as Parameters<typeof replayStoredAnswer>[2]),
      })
    return this.db.batch(statements)
  }

  /**
   * Commits the batch of a mutation. The response is known before it runs and is stored with the Idempotency-Key in the
   * same batch.
   * @throws the error of `unique` or `refused`; ConflictError if a guard fails or a referenced record was deleted;
   *   ReplayedAnswer; 503 if the database is unavailable or the outcome is unknown
   */
  async commit<A extends object>(statements: Statement[], answer: A, options: CommitOptions = {}): Promise<A> {
    if (this.env.READ_ONLY) throw readOnlyError()
    if (!this.mayChange) throw forbidden("This request cannot change data.", "cross_origin_forbidden")
    const { batch, isCommitted } = this.withMarker(inRunOrder(statements), answer, options)
    const [first, ...rest] = batch
    if (!first) return answer
    await this.db.runChecks()
    try {
      wakeWebhooks(this.env, await this.send([first, ...rest, listeningWebhooks()], isCommitted))
    } catch (error) {
      if (this.key && databaseMessage(error).includes("idempotency_keys.")) {
        const [rows] = await this.db.batch([this.selectStoredAnswer(this.key)])
        replayStoredAnswer(this.env, this.key.requests, rows)
      }
      throw commitError(error, options)
    }
    return answer
  }

  /** Sends the batch. @returns the webhooks to wake */
  private async send(batch: [Statement, ...Statement[]], isCommitted: () => SQL) {
    const { db } = this
    try {
      const results: unknown[] = await db.batch(batch)
      callObservers(batch, results)
      return results.at(-1) as { id: number }[]
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const guard = (condition: SQL) => this.guard(condition)
      return (await commitMarker()).resolveUnknownOutcome(error, { db, guard, batch, isCommitted })
    }
  }

  /** The batch with a way to find out later whether it was committed. */
  private withMarker(statements: Statement[], answer: object, { status = 200, marker: mark }: CommitOptions) {
    const { client } = this.caller
    const withRow = (key: string, request: string, encrypted: string) => {
      const row = { client, key, request, status, answer: encrypted }
      return { batch: [storeAnswer(this.db, row), ...statements], isCommitted: () => isAnswerStored(row) }
    }
    // The key comes first, so that the second of two equal calls fails because of it, not by a guard or unique index.
    if (this.key) return withRow(this.key.key, this.key.requests[0], encrypt(this.env, JSON.stringify(answer)))
    if (statements.length === 0) return { batch: statements, isCommitted: () => sql`true` }
    if (typeof mark === "function") return { batch: statements, isCommitted: mark }
    const audited = mark === "row" ? undefined : isAudited(statements)
    if (audited) return { batch: statements, isCommitted: () => audited }
    return withRow(`work ${crypto.randomUUID()}`, "", "")
  }

  /**
   * Commits a new record. Its ID is drawn in the same batch, or before for an Idempotency-Key, whose stored response
   * contains it. The statements need an audit row, which shows the ID if the response of the batch is lost.
   * @param record.id an ID that was drawn together with a read
   * @throws as `commit`
   */
  async create<A extends object>(
    table: Sequence,
    record: { id?: number | undefined; statements: (id: NewId) => Statement[]; answer: (id: number) => A },
    options?: CommitOptions,
  ): Promise<A> {
    const given = record.id ?? (this.key && firstRow((await this.read([this.nextIds(table)]))[0]).last)
    if (given !== undefined) return this.commit(record.statements(given), record.answer(given), options)
    let id: number | undefined
    const draw = onCommitted(this.nextIds(table), ([row]) => {
      id = row?.last
    })
    const batch = [draw, ...record.statements(drawnId(table))]
    await this.commit(batch, {}, options)
    return record.answer(id ?? (await this.committedId(batch)))
  }

  /** The ID that a batch has drawn whose response was lost. @throws 503 */
  private async committedId(batch: Statement[]): Promise<number> {
    const [rows] = await this.db.batch([selectAuditedId(this.db, batch)]).catch(() => {
      throw outcomeUnknown("lost")
    })
    return firstRow(rows).id
  }

  private selectStoredAnswer({ key }: IdempotencyKey) {
    return selectStoredAnswer(this.db, { client: this.caller.client, key })
  }

  /**
   * Draws `count` new ids of a table.
   * @param when draws none unless the condition is true; `wanted.count` in it is `count`
   * @returns a statement with one row, `last`: the last of the ids
   */
  nextIds(table: Sequence, count: number | SQL = 1, when?: SQL) {
    if (typeof count === "number" && !when) return drawIds({ table, count })
    return rawStatement<{ last: number }>(
      this.db,
      sql`with wanted as materialized (select ${count} as count)
        insert into ${sequences} (name, value) select ${table}, wanted.count from wanted where ${when ?? sql`true`}
        on conflict (name) do update set value = value + excluded.value
        returning value as last`,
    )
  }

  /** An audit row for the batch of the change. @param details what changed, never a secret */
  audit(
    action: AuditAction,
    subject: string,
    record: { id: NewId | null; name: string },
    details: Record<string, unknown> = {},
  ) {
    return auditRow(this.caller, { action, subject, record }, details)
  }

  /** An audit row for each record of a query. @param records a query of `id`, `name` and `details` (JSON) */
  auditMany(action: AuditAction, subject: string, records: SQL) {
    return auditRows(this.db, this.caller, action, subject, records)
  }

  /** Makes the batch fail with 409 unless `condition` is true when it runs. */
  guard(condition: SQL) {
    return guardStatement(this.db, condition)
  }
}
