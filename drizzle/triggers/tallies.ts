import { getTableName } from "drizzle-orm"
import type { AnySQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core"
import { groupMembers, reach } from "../schema/groups.ts"
import { portalMembers } from "../schema/portals.ts"
import { type DatabaseObject, trigger, view } from "./declare.ts"

// Tallies: how many of a table's rows are in which state, for each audience that asks. An audience is everyone (`all`),
// a group, a portal, or whom a supervisor reaches. One user's rows are few, and counted.

/** Every audience that a user belongs to, but for `all`. */
export const audiences = view(
  "audiences",
  ["user_id", "audience"],
  `
  SELECT user_id, 'group:' || group_id FROM group_members
  UNION ALL SELECT user_id, 'portal:' || portal_id FROM portal_members
  UNION ALL SELECT user_id, 'reach:' || supervisor_id FROM reach`,
)

export interface AudienceCounter {
  /** The table of the tallies: `audience`, then `places`, then the counts. */
  counters: SQLiteTable
  /** The table whose rows are counted; it has `user_id`. */
  source: SQLiteTable
  /**
   * What a tally is narrowed to beside its audience (`course_id`). Everyone has a tally of the whole too, with 0 in all
   * of them; of other audiences the whole is the sum over the places.
   */
  scope: AnySQLiteColumn[]
  /** Each count: what one row adds to it, as SQL over the row. */
  counts: Record<string, (row: string) => string>
  /** The counts that an update can change; all of them unless told. */
  updatedCounts?: string[]
  /** The columns whose change moves a row from one count to another. */
  watched: AnySQLiteColumn[]
  /** What tells this tally's triggers of memberships from others': `group_members_quizzes_tallied`. */
  label?: string
}

/** 1 for a row in this state, else 0. */
export const countsStatus = (column: AnySQLiteColumn, state: string) => (row: string) =>
  `(${row}${column.name} = '${state}')`

const listed = (parts: string[], margin: string) => parts.join(`,\n${margin}`)

/** The statements that keep one tally, for the triggers of the table it counts. */
function tallyStatements({ counters: into, source: of, scope: places, counts, updatedCounts: moves }: AudienceCounter) {
  const table = getTableName(into)
  const names = Object.keys(counts)
  const place = places.map(({ name }) => name)
  const columns = ["audience", ...place, ...names].join(", ")
  const add = `
    ON CONFLICT (${["audience", ...place].join(", ")}) DO UPDATE SET
      ${listed(
        names.map((name) => `${name} = ${name} + excluded.${name}`),
        "      ",
      )}`
  const values = (row: string, sign = "") => names.map((name) => `${sign}${counts[name]?.(row)}`)
  const zeros = place.map(() => "0").join(", ")
  const here = (row: string) => place.map((name) => `${row}.${name}`).join(", ")
  /** The keys of the tallies that count a row. */
  const keys = (row: "old" | "new") =>
    [
      `SELECT 'all' AS audience, ${place.map((name) => `${row}.${name} AS ${name}`).join(", ")}`,
      `SELECT 'all', ${zeros}`,
      `SELECT audience, ${here(row)} FROM audiences WHERE user_id = ${row}.user_id`,
    ].join("\n      UNION ALL ")
  const setting = (row: "old" | "new", change: (name: string) => string, which = names) => `
    UPDATE ${table} SET
      ${listed(
        which.map((name) => `${name} = ${name} ${change(name)}`),
        "      ",
      )}
    WHERE (audience, ${place.join(", ")}) IN (
      ${keys(row)}
    )`
  return {
    inserted: `
    INSERT INTO ${table} (${columns})
    SELECT audience, ${place.join(", ")},
      ${listed(values("new."), "      ")}
    FROM (
      ${keys("new")}
    )
    WHERE true${add}`,
    moved: setting("new", (name) => `+ ${counts[name]?.("new.")} - ${counts[name]?.("old.")}`, moves),
    deleted: setting("old", (name) => `- ${counts[name]?.("old.")}`),
    /** Of a membership that begins or ends: all that its user has there already. */
    membership: (audience: string, row: "old" | "new") => `
    INSERT INTO ${table} (${columns})
    SELECT ${audience}, ${place.join(", ")},
      ${listed(values("", row === "old" ? "-" : ""), "      ")}
    FROM ${getTableName(of)}
    WHERE user_id = ${row}.user_id${add}`,
  }
}

/**
 * A query of the tallies that are not what counting the rows anew gives: none while the triggers do their work. Both
 * are told as JSON, null where one side has no row.
 */
export function incorrectCounters({ counters: into, source: of, scope: places, counts }: AudienceCounter): string {
  const table = getTableName(into)
  const place = places.map(({ name }) => name)
  const names = Object.keys(counts)
  const key = ["audience", ...place]
  const sums = names.map((name) => `sum(${counts[name]?.("")}) AS ${name}`)
  const zeros = place.map((name) => `0 AS ${name}`)
  const rows = getTableName(of)
  const told = (of: string) =>
    `CASE WHEN ${of}.audience IS NOT NULL THEN json_array(${names.map((name) => `${of}.${name}`).join(", ")}) END`
  return `
    WITH counted AS (
      SELECT 'all' AS audience, ${place.join(", ")}, ${sums.join(", ")} FROM ${rows} GROUP BY ${place.join(", ")}
      UNION ALL SELECT 'all', ${zeros.join(", ")}, ${sums.join(", ")} FROM ${rows} HAVING count(*) > 0
      UNION ALL SELECT audience, ${place.join(", ")}, ${sums.join(", ")}
      FROM ${rows} JOIN audiences USING (user_id)
      GROUP BY ${key.join(", ")}
    ), kept AS (
      SELECT * FROM ${table} WHERE ${names.map((name) => `${name} <> 0`).join(" OR ")}
    ), found AS (
      SELECT * FROM counted WHERE ${names.map((name) => `${name} <> 0`).join(" OR ")}
    )
    SELECT
      '${table}' AS tally, json_array(${key.join(", ")}) AS place,
      ${told("kept")} AS kept, ${told("found")} AS counted
    FROM kept FULL JOIN found USING (${key.join(", ")})
    WHERE kept IS NOT counted`
}

const MEMBERSHIPS = [
  { table: groupMembers, prefix: "group", key: groupMembers.groupId },
  { table: portalMembers, prefix: "portal", key: portalMembers.portalId },
  { table: reach, prefix: "reach", key: reach.supervisorId },
]

/** The triggers that carry a user's rows into an audience's tally when they join it, and out when they leave. */
function talliedByMembership(tally: AudienceCounter): DatabaseObject[] {
  const { membership } = tallyStatements(tally)
  const label = tally.label ? `_${tally.label}` : ""
  return MEMBERSHIPS.flatMap(({ table, prefix, key }) =>
    (["insert", "delete"] as const).map((after) => {
      const [row, suffix] = after === "insert" ? (["new", "tallied"] as const) : (["old", "untallied"] as const)
      return trigger(
        `${getTableName(table)}${label}_${suffix}`,
        { on: table, after },
        membership(`'${prefix}:' || ${row}.${key.name}`, row),
      )
    }),
  )
}

interface Further {
  inserted?: string[]
  moved?: string[]
  deleted?: string[]
}

/** All that keeps a tally: the counted table's triggers, with what else they do, and those of memberships. */
export function audienceCounterTriggers(
  tally: AudienceCounter,
  { inserted = [], moved = [], deleted = [] }: Further = {},
): DatabaseObject[] {
  const statements = tallyStatements(tally)
  const on = tally.source
  const name = getTableName(on)
  const condition = tally.watched.map((column) => `old.${column.name} <> new.${column.name}`).join(" OR ")
  return [
    trigger(`${name}_inserted`, { on, after: "insert" }, statements.inserted, ...inserted),
    trigger(`${name}_moved`, { on, after: "update", of: tally.watched, if: condition }, statements.moved, ...moved),
    trigger(`${name}_deleted`, { on, after: "delete" }, statements.deleted, ...deleted),
    ...talliedByMembership(tally),
  ]
}
