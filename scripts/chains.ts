// What the database does by itself after a change, read from the triggers as they are declared.
import type { Declared } from "../drizzle/triggers/declare.ts"

type Event = "insert" | "update" | "delete"

/** One write: what is done to which table, and for an update, which columns it sets. */
interface Write {
  event: Event
  table: string
  columns: string[]
  /** Of an insert: a row that is there already is updated instead. */
  orUpdates: string[]
}

export interface Reaction {
  trigger: string
  table: string
  event: Event
  /** Of an update: the columns that it waits for; none: any. */
  of: string[]
  /** Whether it only acts on some rows. */
  sometimes: boolean
  writes: Write[]
}

const HEAD = /^CREATE TRIGGER (\w+) (AFTER|BEFORE|INSTEAD OF) (INSERT|UPDATE|DELETE)(?: OF ([\w, ]+))? ON (\w+)/

const setColumns = (clause: string) => [...clause.matchAll(/(?:^|,)\s*(\w+) = /g)].map(([, name = ""]) => name)

/** The assignments of an update, without what its expressions hold in parentheses. */
function flat(sql: string): string {
  let depth = 0
  return [...sql]
    .filter((letter) => {
      if (letter === "(") depth++
      const kept = depth === 0
      if (letter === ")") depth--
      return kept
    })
    .join("")
}

function writesIn(body: string): Write[] {
  return body.split(";").flatMap((text): Write[] => {
    const statement = text.trim()
    const [, insert] = /^INSERT INTO (\w+)/.exec(statement) ?? []
    if (insert) {
      const [, conflict = ""] = /DO UPDATE SET\s+([\s\S]*)$/.exec(statement) ?? []
      return [{ event: "insert", table: insert, columns: [], orUpdates: setColumns(flat(conflict)) }]
    }
    const [, update, set = ""] = /^UPDATE (\w+) SET\s+([\s\S]*)$/.exec(statement) ?? []
    if (update) {
      const [assignments = ""] = flat(set).split(/\b(?:WHERE|FROM)\b/)
      return [{ event: "update", table: update, columns: setColumns(assignments), orUpdates: [] }]
    }
    const [, removed] = /^DELETE FROM (\w+)/.exec(statement) ?? []
    return removed ? [{ event: "delete", table: removed, columns: [], orUpdates: [] }] : []
  })
}

/** What each trigger reacts to and writes. */
export function reactionsOf(declared: Declared[]): Reaction[] {
  return declared.flatMap(({ type, sql }) => {
    const head = type === "trigger" ? HEAD.exec(sql) : null
    if (!head) return []
    const [, trigger = "", , event = "", of = "", table = ""] = head
    return [
      {
        trigger,
        table,
        event: event.toLowerCase() as Event,
        of: of.split(", ").filter(Boolean),
        sometimes: /\nWHEN /.test(sql),
        writes: writesIn(sql.slice(sql.indexOf("BEGIN") + 5, sql.lastIndexOf("END"))),
      },
    ]
  })
}

const DONE: Record<Event, string> = { insert: "inserted", update: "changed", delete: "deleted" }

/**
 * The chain that a write sets off, as lines of an indented list: each table written, by which trigger, and what
 * follows. A table that stands in the chain already is named and not followed again.
 */
export function chainOf(reactions: Reaction[], table: string, event: Event, columns: string[] = []): string[] {
  const met = new Set<string>()
  const follow = (at: { table: string; event: Event; columns: string[] }, depth: number): string[] =>
    reactions
      .filter(
        (reaction) =>
          reaction.table === at.table &&
          reaction.event === at.event &&
          (reaction.of.length === 0 ||
            at.columns.length === 0 ||
            reaction.of.some((name) => at.columns.includes(name))),
      )
      .flatMap((reaction) =>
        reaction.writes.flatMap((write) => {
          const key = `${reaction.trigger} ${write.event} ${write.table}`
          const what = write.columns.length > 0 ? ` (${write.columns.join(", ")})` : ""
          const when = reaction.sometimes ? ", where its condition holds" : ""
          const indent = "  ".repeat(depth)
          const line = `${indent}- ${write.table} ${DONE[write.event]}${what}: \`${reaction.trigger}\`${when}`
          if (met.has(key)) return [`${line}; as above`]
          met.add(key)
          const further = follow(write, depth + 1)
          const instead =
            write.orUpdates.length > 0
              ? follow({ table: write.table, event: "update", columns: write.orUpdates }, depth + 1)
              : []
          return [line, ...further, ...instead]
        }),
      )
  return follow({ table, event, columns }, 0)
}
