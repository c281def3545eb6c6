import { and, eq, gt, lte, type SQL, sql } from "drizzle-orm"
import { idempotencyKeys } from "../../drizzle/schema/system.ts"
import type { Bindings } from "../env.ts"
import { DAY, now } from "../lib/clock.ts"
import { decrypted } from "../lib/crypto/crypto.ts"
import { conflict, invalid } from "../lib/errors.ts"
import type { Database } from "./client.ts"
import { runInSlices } from "./slices.ts"
import { rowExists } from "./sql.ts"

/** Thrown if the same Idempotency-Key was used before: the stored response is sent again. */
export class ReplayedAnswer extends Error {
  readonly status: number
  readonly answer: string
  constructor(status: number, answer: string) {
    super("Answered before")
    this.status = status
    this.answer = answer
  }
}

/** An Idempotency-Key of a client. */
interface ClientKey {
  client: string
  key: string
}

interface StoredAnswer {
  /** HMAC of the request. */
  request: string
  status: number
  /** Encrypted. */
  answer: string
}

export const selectStoredAnswer = (db: Database, { client, key }: ClientKey) =>
  db
    .select({ request: idempotencyKeys.request, status: idempotencyKeys.status, answer: idempotencyKeys.answer })
    .from(idempotencyKeys)
    .where(
      and(eq(idempotencyKeys.client, client), eq(idempotencyKeys.key, key), gt(idempotencyKeys.createdAt, now() - DAY)),
    )

/**
 * Throws the stored response if there is one.
 * @param requests the HMACs of the request with each secret
 * @throws ReplayedAnswer; 422 if the key was used for a different request; 409 if the response cannot be decrypted
 */
export function replayStoredAnswer(env: Bindings, requests: readonly string[], [stored]: StoredAnswer[]): void {
  if (!stored) return
  if (!requests.includes(stored.request))
    throw invalid(
      "Idempotency-Key",
      "This Idempotency-Key was already used for a different request. Use a new key for each request.",
    )
  const answer = decrypted(env, stored.answer)
  if (answer === undefined)
    throw conflict("conflict", "This request was already processed, but its response is no longer available.")
  throw new ReplayedAnswer(stored.status, answer)
}

/** Stores a response. The statement fails if the key was used in the last 24 hours; an older key is overwritten. */
export function storeAnswer(db: Database, { client, key, request, status, answer }: ClientKey & StoredAnswer) {
  const row = { client, key, request, status, answer, createdAt: now() }
  return (
    db
      .insert(idempotencyKeys)
      .values(row)
      // The column is NOT NULL, so NULL makes the statement fail for a key that is still valid.
      .onConflictDoUpdate({
        target: [idempotencyKeys.client, idempotencyKeys.key],
        set: {
          ...row,
          request: sql`case when ${idempotencyKeys.createdAt} <= ${now() - DAY} then ${request} end`,
        },
      })
  )
}

/** The condition that `storeAnswer` was committed. */
export function isAnswerStored({ client, key, answer }: ClientKey & StoredAnswer): SQL {
  const row = sql`${idempotencyKeys.client} = ${client} and ${idempotencyKeys.key} = ${key}`
  return rowExists(idempotencyKeys, sql`${row} and ${idempotencyKeys.answer} = ${answer}`)
}

/** Deletes stored responses after 24 hours. Run by the cron. */
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
