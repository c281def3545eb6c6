import { Column, getTableName, is, Name, Param, SQL, StringChunk, Subquery, Table } from "drizzle-orm"
import { SQLiteAsyncDialect } from "drizzle-orm/sqlite-core"

// Drizzle renders a statement by merging the texts and parameters of its parts, level by level, and asks each part
// again and again what it is. Making statements is what a request spends most of its own time on, so here one is
// walk that appends to one text. The text is the same; what the walk does not know is left to Drizzle.

/** A statement in the making. */
export interface Rendered {
  sql: string
  params: unknown[]
}

type Render = (part: never, into: Rendered) => void

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

const columnNames = new WeakMap<Column, string>()

/** A column as `"users"."id"`. */
function columnName(column: Column): string {
  const known = columnNames.get(column)
  if (known) return known
  const name = `${quoted(getTableName(column.table))}.${quoted(column.name)}`
  columnNames.set(column, name)
  return name
}

function value(part: unknown, into: Rendered) {
  into.sql += "?"
  into.params.push(part)
}

function list(parts: unknown[], into: Rendered) {
  into.sql += "("
  parts.forEach((part, index) => {
    if (index > 0) into.sql += ", "
    render(part, into)
  })
  into.sql += ")"
}

function subquery({ _: { sql: query, alias, isWith } }: Subquery, into: Rendered) {
  if (!isWith) {
    into.sql += "("
    render(query, into)
    into.sql += ") "
  }
  into.sql += quoted(alias)
}

function param({ value: given, encoder }: Param, into: Rendered) {
  const mapped = given === null ? null : encoder.mapToDriverValue(given)
  if (is(mapped, SQL)) render(mapped, into)
  else value(mapped, into)
}

const drizzles = new SQLiteAsyncDialect()

/** As Drizzle does it: whatever is not below, such as a query builder within a statement. */
function other(part: unknown, into: Rendered) {
  const { sql, params } = drizzles.sqlToQuery(new SQL([part as SQL]))
  into.sql += sql
  into.params.push(...params)
}

/** How the parts of a statement are rendered, by their class. */
const KINDS: [type: unknown, render: Render][] = [
  [
    StringChunk,
    ({ value: texts }: StringChunk, into) => {
      for (const text of texts) into.sql += text
    },
  ],
  [
    SQL,
    ({ queryChunks }: SQL, into) => {
      for (const part of queryChunks) render(part, into)
    },
  ],
  [
    Column,
    (column: Column, into) => {
      into.sql += columnName(column)
    },
  ],
  [
    Name,
    ({ value: name }: Name, into) => {
      into.sql += quoted(name)
    },
  ],
  [Param, param],
  [
    SQL.Aliased,
    ({ fieldAlias }: SQL.Aliased, into) => {
      into.sql += quoted(fieldAlias)
    },
  ],
  [
    Table,
    (table: Table, into) => {
      into.sql += quoted(getTableName(table))
    },
  ],
  [Subquery, subquery],
]

const renders = new Map<unknown, Render>()

/** How parts of a class are rendered: found out once for each class. */
function renderOf(part: object): Render {
  const prototype = Object.getPrototypeOf(part)
  const known = renders.get(prototype)
  if (known) return known
  const kind = KINDS.find(([type]) => is(part, type as typeof SQL))
  const found = kind ? kind[1] : Array.isArray(part) ? list : "getSQL" in part ? other : value
  renders.set(prototype, found)
  return found
}

function render(part: unknown, into: Rendered) {
  if (part === undefined) return
  if (typeof part === "object" && part !== null) renderOf(part)(part as never, into)
  else value(part, into)
}

type SelectConfig = Parameters<SQLiteAsyncDialect["buildSelectQuery"]>[0]

/** A column, or an expression under a name, which may be one of a subquery's own. */
const isPlain = (field: unknown): field is Column | SQL.Aliased =>
  is(field, Column) || (is(field, SQL.Aliased) && !Reflect.get(field, "isSelectionField"))

const COMMA = new StringChunk(", ")

/** What is selected: of one table, its columns stand without the table's name. */
export function selectionOf(fields: (Column | SQL.Aliased)[], isSingleTable: boolean): SQL {
  const parts: SQL["queryChunks"] = []
  const add = (part: SQL["queryChunks"][number]) =>
    parts.push(is(part, Column) ? new StringChunk(isSingleTable ? quoted(part.name) : columnName(part)) : part)
  fields.forEach((field, index) => {
    if (index > 0) parts.push(COMMA)
    if (is(field, Column)) add(field)
    else {
      field.sql.queryChunks.forEach(add)
      parts.push(new StringChunk(` as ${quoted(field.fieldAlias)}`))
    }
  })
  return new SQL(parts)
}

/** SQLite's dialect, whose statements are made in one walk. */
export class OneWalkDialect extends SQLiteAsyncDialect {
  override sqlToQuery(query: SQL): Rendered {
    const into: Rendered = { sql: "", params: [] }
    render(query, into)
    return into
  }

  /** As Drizzle's, which is handed the selection of plain fields ready made. */
  override buildSelectQuery(config: SelectConfig): SQL {
    const fields = config.fieldsFlat ? [] : Object.values(config.fields)
    if (fields.length === 0 || !fields.every(isPlain)) return super.buildSelectQuery(config)
    const isSingleTable = !config.joins || config.joins.length === 0
    const selection = selectionOf(fields, isSingleTable)
    return super.buildSelectQuery({ ...config, fieldsFlat: [{ path: [], field: selection }] })
  }
}
