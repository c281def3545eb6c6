// Checks that a database is consistent, after a kill, a load, a copy or an erasure.
import type { DatabaseSync } from "node:sqlite"
import { incorrectCounters } from "../../drizzle/triggers/audience-counters.ts"
import { derivedColumns, incorrectRows } from "../../drizzle/triggers/derived-data.ts"
import { audienceCounters } from "../../drizzle/triggers/index.ts"
import { limitedColumns } from "../../drizzle/triggers/limited-data.ts"
import { incorrectAggregates, reportAggregates } from "../../drizzle/triggers/report-aggregates.ts"

/** How many offenses of one kind are printed. */
const MAX_PRINTED = 10

/** The tables with a full-text index. */
const searchedTables = (db: DatabaseSync): string[] =>
  db
    .prepare("select name from sqlite_master where sql like 'CREATE VIRTUAL TABLE%USING fts5(%'")
    .all()
    .map(({ name }) => String(name).replace(/_search$/, ""))

/**
 * The terms that a table's full-text index has in other numbers than the texts of its rows. An index without content
 * cannot be read by row: a second one is made of the texts, and the terms of both are compared.
 */
function misindexed(db: DatabaseSync, table: string): Record<string, unknown>[] {
  const isKept = db.prepare("select 1 from pragma_table_info(?) where name = 'deleted_at'").get(table) !== undefined
  db.exec(`
    CREATE VIRTUAL TABLE temp.again USING fts5(text, tokenize = 'trigram', content = '', contentless_delete = 1);
    CREATE VIRTUAL TABLE temp.again_terms USING fts5vocab('temp', 'again', 'row');
    INSERT INTO temp.again (rowid, text)
    SELECT id, search_text FROM ${table}${isKept ? " WHERE deleted_at IS NULL" : ""};
  `)
  try {
    return db
      .prepare(
        `WITH stored AS MATERIALIZED (SELECT * FROM ${table}_terms),
          counted AS MATERIALIZED (SELECT * FROM temp.again_terms)
        SELECT term, stored.doc AS stored, counted.doc AS counted
        FROM stored FULL JOIN counted USING (term)
        WHERE stored.doc IS NOT counted.doc OR stored.cnt IS NOT counted.cnt
        LIMIT ${MAX_PRINTED}`,
      )
      .all()
  } finally {
    db.exec("DROP TABLE temp.again_terms; DROP TABLE temp.again;")
  }
}

/**
 * What is inconsistent in a database, a line each: damaged pages, references to missing rows, and every value that
 * triggers keep and that differs from what its rows give. At most ten lines of each kind.
 */
export function findInconsistencies(db: DatabaseSync): string[] {
  const all = (sql: string) => db.prepare(sql).all()
  const describe = (what: string, rows: Record<string, unknown>[]) =>
    rows.slice(0, MAX_PRINTED).map((row) => `${what}: ${JSON.stringify(row)}`)
  const [integrity] = all("pragma integrity_check")
  const audit = all("select count(*) as numbered, max(id) as last from audit_logs having numbered <> last")
  return [
    ...(integrity?.integrity_check === "ok" ? [] : describe("integrity", [integrity ?? {}])),
    ...describe("a reference to a missing row", all("pragma foreign_key_check")),
    ...derivedColumns.flatMap((one) => describe(`${one.table} (${one.columns.join(", ")})`, all(incorrectRows(one)))),
    ...limitedColumns.flatMap(({ table, columns, broken }) =>
      describe(`${table} (${columns.join(", ")})`, all(broken)),
    ),
    ...audienceCounters.flatMap((counter) => describe("a counter", all(incorrectCounters(counter)))),
    ...reportAggregates.flatMap((aggregate) => describe("an aggregate", all(incorrectAggregates(aggregate)))),
    ...searchedTables(db).flatMap((table) => describe(`${table}_search`, misindexed(db, table))),
    ...describe("numbers of the audit log", audit),
  ]
}
