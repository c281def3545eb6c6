import { env } from "cloudflare:workers"
import { apiKeys } from "../../drizzle/schema/api-keys.ts"
import { createKey } from "../../src/access/keys.ts"
import { db, nextId } from "./index.ts"

/** An API key, by default with all permissions of its role, and the key itself as `token`. */
export async function apiKey(overrides: Partial<typeof apiKeys.$inferInsert> = {}) {
  const id = overrides.id ?? (await nextId("api_keys"))
  const { key: token, hash } = createKey(env, id)
  await db
    .insert(apiKeys)
    .values({ id, hash, name: `Key ${id}`, role: "staff", access: "write", createdAt: Date.now(), ...overrides })
  return { id, token }
}
