import { sql } from "drizzle-orm"
import { expect, vi } from "vitest"
import { db } from "../factories/index.ts"
import { type Answer, listeners } from "./client.ts"

const LEVELS = ["log", "info", "warn", "error", "debug"] as const

interface Secret {
  what: string
  value: string
  /** The calls that must return it, such as `POST /api/user/prepareTwoFactorAuth`. */
  answeredBy?: string
}

/** Digits must match as a whole, because any number could contain them. */
const holds = (text: string, value: string) =>
  /^\d+$/.test(value) ? new RegExp(`(?<!\\d)${value}(?!\\d)`).test(text) : text.includes(value)

/** Every row of every table. */
export async function everyRow(): Promise<{ table: string; row: Record<string, unknown> }[]> {
  const tables = await db.all<{ name: string }>(
    sql`
      select name
      from sqlite_master
      where type = 'table' and name not like 'sqlite_%' and name not like '\\_cf\\_%' escape '\\'
        and name not like '%\\_search%' escape '\\'`,
  )
  const rows: { table: string; row: Record<string, unknown> }[] = []
  for (const { name } of tables) {
    const found = await db.all<Record<string, unknown>>(sql`select * from ${sql.identifier(name)}`)
    for (const row of found) rows.push({ table: name, row })
  }
  return rows
}

/**
 * Runs a flow, then searches for its secrets in the log, in every row of every table, and in every response except
 * those that must contain them.
 * @param flow calls the service. @returns the secrets
 */
export async function keepsSecret(
  flow: (secret: (what: string, value: string, answeredBy?: string) => void) => Promise<void>,
) {
  const secrets: Secret[] = []
  const answers: { call: string; text: string }[] = []
  const logged: string[] = []
  const spies = LEVELS.map((level) =>
    vi.spyOn(console, level).mockImplementation((...words: unknown[]) => {
      logged.push(words.map((word) => (typeof word === "string" ? word : JSON.stringify(word))).join(" "))
    }),
  )
  const listener = (call: string, answer: Answer) => {
    const headers = JSON.stringify([...answer.headers])
    answers.push({
      call,
      text: `${headers} ${typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body)}`,
    })
  }
  listeners.add(listener)
  try {
    await flow((what, value, answeredBy) => {
      secrets.push({ what, value, ...(answeredBy && { answeredBy }) })
    })
  } finally {
    listeners.delete(listener)
    for (const spy of spies) spy.mockRestore()
  }
  const rows = (await everyRow()).map(({ table, row }) => ({ table, text: JSON.stringify(row) }))
  for (const { what, value, answeredBy } of secrets) {
    expect(value.length, `${what} is long enough to be looked for`).toBeGreaterThanOrEqual(6)
    expect(
      logged.filter((line) => holds(line, value)),
      `${what} in the log`,
    ).toEqual([])
    expect(
      rows.filter((row) => holds(row.text, value)).map((row) => row.table),
      `${what} in tables`,
    ).toEqual([])
    const where = [...new Set(answers.filter(({ text }) => holds(text, value)).map(({ call }) => call))]
    expect(where, `${what} in answers`).toEqual(answeredBy ? [answeredBy] : [])
  }
  return { secrets, answers, logged, rows }
}
