import { env } from "cloudflare:workers"
import { describe, expect, it } from "vitest"
import { COUNTED, COUNTED_BY, SEQUENCES } from "../../drizzle/schema/system.ts"

/** The names or the SQL of the database objects of a type. */
async function schemaOf(type: "table" | "trigger", column: "name" | "sql"): Promise<string[]> {
  const { results } = await env.DB.prepare(`select ${column} as found from sqlite_master where type = ?`)
    .bind(type)
    .all<{ found: string }>()
  return results.map(({ found }) => found)
}

describe("the system tables' keys", () => {
  it("assign ids for existing tables", async () => {
    const tables = await schemaOf("table", "name")
    expect(SEQUENCES.filter((name) => !tables.includes(name))).toEqual([])
  })

  it("count what triggers maintain", async () => {
    const counting = (await schemaOf("trigger", "sql")).filter((text) => text.includes("INTO counters"))
    const isKept = (key: string) => counting.some((text) => text.includes(key))
    expect(COUNTED.filter((name) => !isKept(`'${name}'`))).toEqual([])
    expect(COUNTED_BY.filter((name) => !isKept(`'${name}:`))).toEqual([])
    expect(isKept("'nothing'")).toBe(false)
  })
})
