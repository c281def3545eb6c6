import { sql } from "drizzle-orm"
import { apiKeys } from "../../drizzle/schema/api-keys.ts"
import { type Database, openDatabase } from "../db/client.ts"
import type { Bindings } from "../env.ts"
import type { Grant, KeyProof } from "../lib/caller.ts"
import { HOUR, MINUTE, now } from "../lib/clock.ts"
import { sameText } from "../lib/crypto/crypto.ts"

/** How long a key is cached without reading the database again, in case a change notification is lost. */
const CACHE_MS = MINUTE

type Row = Grant & { hash: string; lastUsedAt: number }

/** An API key cached in its Durable Object: read once, and again after a minute or a change. */
export class CachedKey {
  private readonly env: Bindings
  private cached: { row: Row | undefined; until: number } | undefined
  private reading: Promise<Row | undefined> | undefined
  /** The number of changes so far. A read that was in progress during a change is repeated. */
  private changes = 0

  constructor(env: Bindings) {
    this.env = env
  }

  /** Call this when the key was changed or deleted. */
  forget(): void {
    this.changes++
    this.cached = undefined
  }

  /** What the key of a proof grants now; undefined if the proof is invalid, or the key is expired or deleted. */
  async granted(proof: KeyProof): Promise<Grant | undefined> {
    const row = await this.current(proof.keyId)
    if (!row || (row.expiresAt > 0 && row.expiresAt <= now())) return undefined
    if ("hash" in proof ? !(await this.matches(proof, row)) : proof.generation !== row.generation) return undefined
    const { hash: _, lastUsedAt: __, ...grant } = row
    if ("hash" in proof) return grant
    return { ...grant, access: proof.access === "read" ? "read" : grant.access, expiresAt: proof.expiresAt }
  }

  /**
   * Whether the proof matches the stored hash. A hash in the old format is replaced, so that it no longer needs the
   * Worker's secret.
   */
  private async matches({ hash, hashesBefore }: Extract<KeyProof, { hash: string }>, row: Row): Promise<boolean> {
    if (sameText(hash, row.hash)) return true
    if (!hashesBefore.map((before) => sameText(before, row.hash)).includes(true)) return false
    const db = this.database()
    const same = sql`${apiKeys.id} = ${row.keyId} and ${apiKeys.hash} = ${row.hash}`
    await db.batch([db.update(apiKeys).set({ hash }).where(same)])
    row.hash = hash
    return true
  }

  /** Records a use, at most once an hour. */
  async used(): Promise<void> {
    const row = this.cached?.row
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
    if (this.cached && this.cached.until > now()) return Promise.resolve(this.cached.row)
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
      this.cached = { row: rows[0], until: now() + CACHE_MS }
      return rows[0]
    }
  }

  private database(): Database {
    return openDatabase(this.env.DB, "first-primary")
  }
}
