// How others cut the SQL of a call into statements. D1's API does so with a splitter that is not published: it is
// modeled here as its known failures describe it (workers-sdk issues 4326, 15093 and 15314).
import { unstable_splitSqlQuery } from "wrangler"

const BREAKPOINT = "--> statement-breakpoint"

const trimmed = (statement: string) => statement.replace(/^(\s|--[^\n]*(\n|$))+/, "").replace(/[\s;]+$/, "")

/** The statements of a migration as they were written, without their semicolons. */
export const statementsOf = (sql: string): string[] => sql.split(BREAKPOINT).map(trimmed).filter(Boolean)

/** A migration of these statements. */
export const migrationOf = (statements: string[]): string => `${statements.join(`\n${BREAKPOINT}\n`)}\n`

/** Quoted text, comments, words and semicolons. */
const TOKENS = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|;/g

/**
 * Cuts SQL at every semicolon outside of compound statements.
 * @param opens what begins a compound statement: a word, with the character on either side
 * @param closes what ends it
 */
function cut(sql: string, opens: RegExp, closes: RegExp): string[] {
  const statements: string[] = []
  let depth = 0
  let start = 0
  for (const { 0: token, index } of sql.matchAll(TOKENS)) {
    const around = sql.slice(index - 1, index + token.length + 1)
    if (opens.test(around)) depth++
    else if (closes.test(around)) depth = Math.max(0, depth - 1)
    else if (token === ";" && depth === 0) {
      statements.push(sql.slice(start, index))
      start = index + 1
    }
  }
  return [...statements, sql.slice(start)].map(trimmed).filter(Boolean)
}

/** D1's API knows an uppercase BEGIN alone, and takes the END of a CASE for the end of the trigger. */
export const splitAsD1 = (sql: string): string[] => cut(sql, /^\sBEGIN\s$/, /^\sEND[;\s]$/)

const SPLITTERS: Record<string, (sql: string) => string[]> = {
  "D1's API": splitAsD1,
  wrangler: (sql) => unstable_splitSqlQuery(sql).map(trimmed).filter(Boolean),
  // They missed a CASE that follows no space, and an END that a comma or a parenthesis follows.
  "an earlier wrangler": (sql) => cut(sql, /^\s(BEGIN|CASE)\s$/i, /^\sEND[;\s]$/i),
}

/** Which splitters do not see the statements of a migration as they were written. */
export function misreadingsOf(name: string, sql: string): string[] {
  const written = statementsOf(sql)
  return Object.entries(SPLITTERS).flatMap(([splitter, split]) => {
    const read = split(sql)
    const at = written.findIndex((statement, i) => statement !== read[i])
    if (at < 0 && read.length === written.length) return []
    const [line] = (written[at] ?? "").split("\n")
    return [
      `${name}: ${splitter} reads ${read.length} statements instead of ${written.length}, from this one on: ${line}\n` +
        "  Write BEGIN and END in capitals, and CASE within parentheses: (CASE … END).",
    ]
  })
}
