import { sql } from "drizzle-orm"
import { apiKeys } from "../../drizzle/schema/api-keys.ts"
import { type Database, openDatabase } from "../db/client.ts"
import type { Bindings } from "../env.ts"
import type { Grant, KeyProof } from "../lib/caller.ts"
import { HOUR, MINUTE, now } from "../lib/clock.ts"
import { sameText } from "../lib/crypto/crypto.ts"

/** How long a key is held without a look at the database: a net, should the word that it changed be lost. */
const HELD_FOR = MINUTE

type Row = Grant & { hash: string; lastUsedAt: number }

/** An API key as its Durable Object holds it: read from the database once, and again after a minute or a change. */
export class CachedKey {
  private readonly env: Bindings
  private held: { row: Row | undefined; until: number } | undefined
  private reading: Promise<Row | undefined> | undefined
  /** How many changes were told. What was read before one of them may be out of date. */
  private changes = 0

  constructor(env: Bindings) {
    this.env = env
  }

  /** The key has changed, or is gone. */
  forget(): void {
    this.changes++
    this.held = undefined
  }

  /**
   * What the key that a proof is about grants now; undefined where the proof does not hold, or the key is expired or
   * gone.
   */
  async granted(proof: KeyProof): Promise<Grant | undefined> {
    const row = await this.current(proof.keyId)
    if (!row || (row.expiresAt > 0 && row.expiresAt <= now())) return undefined
    if ("hash" in proof ? !(await this.matches(proof, row)) : proof.generation !== row.generation) return undefined
    const { hash: _, lastUsedAt: __, ...grant } = row
    if ("hash" in proof) return grant
    return { ...grant, access: proof.access === "read" ? "read" : grant.access, expiresAt: proof.expiresAt }
  }

  /** Is it the key that is kept? A hash of before is written anew, so that it needs the Worker's secret no more. */
  private async matches({ hash, hashesBefore }: Extract<KeyProof, { hash: string }>, row: Row): Promise<boolean> {
    if (sameText(hash, row.hash)) return true
    if (!hashesBefore.map((before) => sameText(before, row.hash)).includes(true)) return false
    const db = this.database()
    const same = sql`${apiKeys.id} = ${row.keyId} and ${apiKeys.hash} = ${row.hash}`
    await db.batch([db.update(apiKeys).set({ hash }).where(same)])
    row.hash = hash
    return true
  }

  /** Notes a use, where none is noted of this hour yet. */
  async used(): Promise<void> {
    const row = this.held?.row
    const hour = Math.floor(now() / HOUR) * HOUR
    if (!row || row.lastUsedAt >= hour || this.env.READ_ONLY) return
    row.lastUsedAt = hour
    const db = this.database()
    await db.batch([
      db
        .update(apiKeys)
        .set({ lastUsedAt: hour })
        .where(sql`${apiKeys.id} = ${row.keyId} and ${apiKeys.lastUsedAt} < ${hour}`),
    ])
  }

  private current(keyId: number): Promise<Row | undefined> {
    if (this.held && this.held.until > now()) return Promise.resolve(this.held.row)
    this.reading ??= this.read(keyId).finally(() => {
      this.reading = undefined
    })
    return this.reading
  }

  private async read(keyId: number): Promise<Row | undefined> {
    for (;;) {
      const { changes } = this
      const db = this.database()
      const [rows] = await db.batch([
        db
          .select({
            keyId: apiKeys.id,
            name: apiKeys.name,
            role: apiKeys.role,
            access: apiKeys.access,
            families: apiKeys.families,
            scopes: apiKeys.scopes,
            expiresAt: apiKeys.expiresAt,
            generation: apiKeys.generation,
            hash: apiKeys.hash,
            lastUsedAt: apiKeys.lastUsedAt,
          })
          .from(apiKeys)
          .where(sql`${apiKeys.id} = ${keyId}`),
      ])
      if (changes !== this.changes) continue
      this.held = { row: rows[0], until: now() + HELD_FOR }
      return rows[0]
    }
  }

  private database(): Database {
    return openDatabase(this.env.DB, "first-primary")
  }
}
