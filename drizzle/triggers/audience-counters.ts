import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { groupMembers, supervisorScope } from "../schema/groups.ts"
import { portalMembers } from "../schema/portals.ts"
import { changed, type DatabaseObject, trigger, view } from "./declare.ts"

// Audience counters: the number of rows of a table by status, for each audience. An audience is everyone (`all`), a
// group, a portal, or the users of a supervisor. A single user has few rows, which are counted when they are needed.

/** The audiences of each user, except `all`. */
export const audiences = view(
  "audiences",
  ["user_id", "audience"],
  `
  SELECT user_id, 'group:' || group_id FROM group_members
  UNION ALL SELECT user_id, 'portal:' || portal_id FROM portal_members
  UNION ALL SELECT user_id, 'supervisor:' || supervisor_id FROM supervisor_scope`,
)

export interface AudienceCounter {
  /** The table of the counts: `audience`, then the scope, then the counts. */
  counters: SQLiteTable
  /** The table of the counted rows, which has `user_id`. */
  source: SQLiteTable
  /**
   * The columns that a counter has besides its audience (`course_id`). The audience `all` has a total too, with 0 in
   * all of them; of other audiences the whole is the sum over the places. Without columns, the counter has the totals
   * of the other audiences.
   */
  scope: AnySQLiteColumn[]
  /** The rows that are counted, all by default. Others write no counter. */
  condition?: (row: string) => string
  /** What a row adds to each count, as SQL. */
  counts: Record<string, (row: string) => string>
  /** The counts that an update can change; all by default. */
  updatedCounts?: string[]
  /** The columns whose change moves a row to another count. */
  watched: AnySQLiteColumn[]
  /**
   * Distinguishes this counter's triggers from those of other counters of memberships, or of the same rows:
   * `group_members_quizzes_counted`, `enrollments_due_inserted`.
   */
  label?: string
}

/** 1 for a row with the status, else 0. */
export const countsStatus = (column: AnySQLiteColumn, state: string) => (row: string) =>
  `(${row}${column.name} = '${state}')`

const joinLines = (parts: string[], margin: string) => parts.join(`,\n${margin}`)

/** The statements that keep one counter, for the triggers of the table it counts. */
function counterStatements({ counters, source, scope, condition, counts, updatedCounts }: AudienceCounter) {
  const table = getTableName(counters)
  const names = Object.keys(counts)
  const scopeColumns = scope.map(({ name }) => name)
  const key = ["audience", ...scopeColumns].join(", ")
  const columns = [key, ...names].join(", ")
  const upsert = `
    ON CONFLICT (${key}) DO UPDATE SET
      ${joinLines(
        names.map((name) => `${name} = ${name} + excluded.${name}`),
        "      ",
      )}`
  const values = (row: string, sign = "") => names.map((name) => `${sign}${counts[name]?.(row)}`)
  const zeros = scopeColumns.map(() => "0").join(", ")
  /** The keys of the counters that count a row. */
  const keys = (row: "old" | "new") => {
    const scopeValues = scopeColumns.map((name) => `${row}.${name}`)
    return [
      ...(scope.length > 0
        ? [
            `SELECT 'all' AS audience, ${scopeColumns.map((name) => `${row}.${name} AS ${name}`).join(", ")}`,
            `SELECT 'all', ${zeros}`,
          ]
        : []),
      `SELECT ${["audience", ...scopeValues].join(", ")} FROM audiences WHERE user_id = ${row}.user_id`,
    ].join("\n      UNION ALL ")
  }
  const updateCounts = (row: "old" | "new", change: (name: string) => string, changedNames = names) => `
    UPDATE ${table} SET
      ${joinLines(
        changedNames.map((name) => `${name} = ${name} ${change(name)}`),
        "      ",
      )}
    WHERE (${key}) IN (
      ${keys(row)}
    )`
  const addToCounts = (added: string[]) => `
    INSERT INTO ${table} (${columns})
    SELECT ${key},
      ${joinLines(added, "      ")}
    FROM (
      ${keys("new")}
    )
    WHERE true${upsert}`
  const differences = names.map((name) => `${counts[name]?.("new.")} - ${counts[name]?.("old.")}`)
  return {
    inserted: addToCounts(values("new.")),
    // A row that begins to be counted may be the first of its counter.
    updated: condition
      ? addToCounts(differences)
      : updateCounts("new", (name) => `+ ${counts[name]?.("new.")} - ${counts[name]?.("old.")}`, updatedCounts),
    deleted: updateCounts("old", (name) => `- ${counts[name]?.("old.")}`),
    /** Adds or subtracts the existing rows of a user whose membership starts or ends. */
    membership: (audience: string, row: "old" | "new") => {
      const added = values("", row === "old" ? "-" : "")
      const isTotal = scope.length === 0
      const tests = [`user_id = ${row}.user_id`, ...(condition ? [condition("")] : [])].join(" AND ")
      return `
    INSERT INTO ${table} (${columns})
    SELECT ${[audience, ...scopeColumns].join(", ")},
      ${joinLines(isTotal ? added.map((one) => `sum(${one})`) : added, "      ")}
    FROM ${getTableName(source)}
    WHERE ${tests}${isTotal ? " GROUP BY user_id" : ""}${upsert}`
    },
  }
}

/**
 * The query of the counters that differ from a recount of the rows: the stored and the recounted values. Both
 * are JSON, null without a row.
 */
export function incorrectCounters({ counters, source, scope, counts }: AudienceCounter): string {
  const table = getTableName(counters)
  const scopeColumns = scope.map(({ name }) => name)
  const names = Object.keys(counts)
  const key = ["audience", ...scopeColumns]
  const sums = names.map((name) => `sum(${counts[name]?.("")}) AS ${name}`)
  const zeros = scopeColumns.map((name) => `0 AS ${name}`)
  const rows = getTableName(source)
  const countsJson = (side: string) =>
    `CASE WHEN ${side}.audience IS NOT NULL THEN json_array(${names.map((name) => `${side}.${name}`).join(", ")}) END`
  const ofAll = `
      SELECT 'all' AS audience, ${scopeColumns.join(", ")}, ${sums.join(", ")}
      FROM ${rows} GROUP BY ${scopeColumns.join(", ")}
      UNION ALL SELECT 'all', ${zeros.join(", ")}, ${sums.join(", ")} FROM ${rows} HAVING count(*) > 0
      UNION ALL`
  return `
    WITH counted AS (${scope.length > 0 ? ofAll : ""}
      SELECT ${key.join(", ")}, ${sums.join(", ")}
      FROM ${rows} JOIN audiences USING (user_id)
      GROUP BY ${key.join(", ")}
    ), stored_rows AS (
      SELECT * FROM ${table} WHERE ${names.map((name) => `${name} <> 0`).join(" OR ")}
    ), computed_rows AS (
      SELECT * FROM counted WHERE ${names.map((name) => `${name} <> 0`).join(" OR ")}
    )
    SELECT
      '${table}' AS counter, json_array(${key.join(", ")}) AS key,
      ${countsJson("stored_rows")} AS stored, ${countsJson("computed_rows")} AS computed
    FROM stored_rows FULL JOIN computed_rows USING (${key.join(", ")})
    WHERE stored IS NOT computed`
}

const MEMBERSHIPS = [
  { table: groupMembers, prefix: "group", key: groupMembers.groupId },
  { table: portalMembers, prefix: "portal", key: portalMembers.portalId },
  { table: supervisorScope, prefix: "supervisor", key: supervisorScope.supervisorId },
]

/** Triggers that add a user's rows to the counter when the user joins an audience, and subtract them on leaving. */
function membershipTriggers(counter: AudienceCounter): DatabaseObject[] {
  const { membership } = counterStatements(counter)
  const label = counter.label ? `_${counter.label}` : ""
  return MEMBERSHIPS.flatMap(({ table, prefix, key }) =>
    (["insert", "delete"] as const).map((after) => {
      const [row, suffix] = after === "insert" ? (["new", "counted"] as const) : (["old", "uncounted"] as const)
      return trigger(
        `${getTableName(table)}${label}_${suffix}`,
        { on: table, after },
        membership(`'${prefix}:' || ${row}.${key.name}`, row),
      )
    }),
  )
}

interface AdditionalStatements {
  inserted?: string[]
  updated?: string[]
  deleted?: string[]
}

/** All triggers that maintain a counter: those of the counted table and those of memberships. */
export function audienceCounterTriggers(
  counter: AudienceCounter,
  { inserted = [], updated = [], deleted = [] }: AdditionalStatements = {},
): DatabaseObject[] {
  const statements = counterStatements(counter)
  const on = counter.source
  const name = `${getTableName(on)}${counter.condition ? `_${counter.label}` : ""}`
  const isCounted = (row: "old." | "new.") => counter.condition && { if: counter.condition(row) }
  return [
    trigger(`${name}_inserted`, { on, after: "insert", ...isCounted("new.") }, statements.inserted, ...inserted),
    trigger(
      `${name}_updated`,
      { on, after: "update", of: counter.watched, if: changed(...counter.watched) },
      statements.updated,
      ...updated,
    ),
    trigger(`${name}_deleted`, { on, after: "delete", ...isCounted("old.") }, statements.deleted, ...deleted),
    ...membershipTriggers(counter),
  ]
}
