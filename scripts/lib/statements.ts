// The statements of a migration, and how D1's API cuts the SQL of a call into statements. Its splitter is not public:
// it is modeled here as its known failures describe it (workers-sdk issues 4326, 15093 and 15314).
const BREAKPOINT = "--> statement-breakpoint"

/** A statement without comments before it and its semicolon. */
export const trimStatement = (statement: string) =>
  statement.replace(/^(\s|--[^\n]*(\n|$))+/, "").replace(/[\s;]+$/, "")

/** The statements of a migration without their semicolons. */
export const statementsOf = (sql: string): string[] => sql.split(BREAKPOINT).map(trimStatement).filter(Boolean)

/** A migration of these statements. */
export const migrationOf = (statements: string[]): string => `${statements.join(`\n${BREAKPOINT}\n`)}\n`

/** Whether a statement changes rows rather than the schema. */
export const modifiesRows = (statement: string): boolean => /^(INSERT|REPLACE|UPDATE|DELETE|WITH)\b/i.test(statement)

/** Quoted text, comments, words and semicolons. */
const TOKENS = /'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?\*\/|\w+|;/g

/**
 * Cuts SQL at every semicolon outside of compound statements.
 * @param opens what begins a compound statement: a word, with the character on either side
 * @param closes what ends it
 */
export function splitStatements(sql: string, opens: RegExp, closes: RegExp): string[] {
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
  return [...statements, sql.slice(start)].map(trimStatement).filter(Boolean)
}

/** D1's API knows an uppercase BEGIN alone, and takes the END of a CASE for the end of the trigger. */
export const splitAsD1 = (sql: string): string[] => splitStatements(sql, /^\sBEGIN\s$/, /^\sEND[;\s]$/)
