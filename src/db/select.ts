import { type AnyColumn, type Column, type GetColumnData, is, SQL } from "drizzle-orm"
import type { RunnableQuery } from "drizzle-orm/runnable-query"
import type { SelectedFields } from "drizzle-orm/sqlite-core"
import type { Database } from "./client.ts"
import { type OneWalkDialect, type Rendered, selectionOf } from "./dialect.ts"
import type { Fields, PlainRowsSession, RowOf } from "./rows.ts"

// A query whose fields are declared once, as a list's columns are: what they are as text, and how their values are
// read, is found out at its first use. Drizzle's builder does both for every request.

/** A selection as it stands in a statement, and its fields in their order. */
interface Selection extends Rendered {
  fields: Fields
}

const selections = new WeakMap<SelectedFields, Selection>()

function selectionIn(dialect: OneWalkDialect, fields: SelectedFields): Selection {
  const known = selections.get(fields)
  if (known) return known
  const named = Object.entries(fields).map(([name, field]) => ({
    name,
    field: is(field, SQL) ? field.as(name) : field,
  }))
  const selection = selectionOf(
    named.map(({ field }) => field as Column | SQL.Aliased),
    false,
  )
  const ordered = named.map(({ name, field }) => ({ path: [name], field })) as Fields
  const made = { ...dialect.sqlToQuery(selection), fields: ordered }
  selections.set(fields, made)
  return made
}

/** A query for a batch, as Drizzle's own. */
class Query<Row> implements RunnableQuery<Row[], "sqlite"> {
  declare readonly _: { readonly dialect: "sqlite"; readonly result: Row[] }
  private readonly db: Database
  private readonly fields: SelectedFields | undefined
  private readonly rest: SQL

  constructor(db: Database, fields: SelectedFields | undefined, rest: SQL) {
    this.db = db
    this.fields = fields
    this.rest = rest
  }

  /** What a batch asks of a query. */
  _prepare(): ReturnType<PlainRowsSession["prepareQuery"]> {
    const { dialect, session } = this.db.parts
    const rest = dialect.sqlToQuery(this.rest)
    if (!this.fields) return session.prepareQuery(rest, [], "all", true)
    const selection = selectionIn(dialect, this.fields)
    const text = { sql: `select ${selection.sql} ${rest.sql}`, params: [...selection.params, ...rest.params] }
    return session.prepareQuery(text, selection.fields, "all", true)
  }
}

/** A whole statement in our own words. Its rows have the names that it gives them, and values as they are stored. */
export const asWritten = <Row>(db: Database, statement: SQL) => new Query<Row>(db, undefined, statement)

/** A column of a table that a row may have none of, as in a left join. */
export const orNull = <C extends AnyColumn>(column: C) => column as unknown as SQL.Aliased<GetColumnData<C> | null>

/**
 * A query of a table's columns and of expressions that have a name.
 * @param fields one object for all calls, where that is possible: what it is as text is kept
 * @param rest the statement from `from` on; before it, after a comma, further columns may be named
 */
export const selectFrom = <F extends SelectedFields, More = unknown>(db: Database, fields: F, rest: SQL) =>
  new Query<RowOf<F> & More>(db, fields, rest)
