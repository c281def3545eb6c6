// How the splitters that a migration meets on its way read it.
import { unstable_splitSqlQuery } from "wrangler"
import { splitAsD1, splitStatements, statementsOf, trimStatement } from "./statements.ts"

const SPLITTERS: Record<string, (sql: string) => string[]> = {
  "D1's API": splitAsD1,
  wrangler: (sql) => unstable_splitSqlQuery(sql).map(trimStatement).filter(Boolean),
  // They missed a CASE that follows no space, and an END that a comma or a parenthesis follows.
  "an earlier wrangler": (sql) => splitStatements(sql, /^\s(BEGIN|CASE)\s$/i, /^\sEND[;\s]$/i),
}

/** The splitters that do not find the original statements of a migration. */
export function findSplitErrors(name: string, sql: string): string[] {
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
