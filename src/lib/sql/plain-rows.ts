import { Column, is, SQL } from "drizzle-orm"
import { SQLiteD1Session } from "drizzle-orm/d1/session"

// Drizzle finds out anew for each value of each row how it is read. Here that is found out once for a statement.

type Prepare = SQLiteD1Session<Record<string, never>, Record<string, never>>["prepareQuery"]
type Fields = NonNullable<Parameters<Prepare>[1]>
type Row = Record<string, unknown>
type Read = (value: unknown) => unknown

/** As it is stored: what most columns are. */
const AS_IT_IS = Reflect.get(new SQL([]), "decoder").mapFromDriverValue

/** How a field's values are read; undefined: as they are stored. */
function readerOf(field: Fields[number]["field"]): Read | undefined {
  if (is(field, Column)) {
    const { mapFromDriverValue } = field
    return mapFromDriverValue === Column.prototype.mapFromDriverValue
      ? undefined
      : (value) => field.mapFromDriverValue(value)
  }
  const decoder = Reflect.get(is(field, SQL) ? field : Reflect.get(field, "sql"), "decoder")
  return decoder.mapFromDriverValue === AS_IT_IS ? undefined : (value) => decoder.mapFromDriverValue(value)
}

/** Reads rows of plain fields: by position, since a statement's columns are in the order of its fields. */
function plainRows(fields: Fields, rows: Row[]): Row[] {
  const [first] = rows
  if (!first) return []
  const from = Object.keys(first)
  const columns = fields.map(({ path: [name = ""], field }, at) => ({
    name,
    from: from[at] ?? name,
    read: readerOf(field),
  }))
  return rows.map((row) => {
    const answer: Row = {}
    for (const { name, from, read } of columns) {
      const value = row[from]
      answer[name] = read === undefined || value === null ? value : read(value)
    }
    return answer
  })
}

/** A session of Drizzle's whose batches answer rows of plain fields at less cost; nested ones are left to Drizzle. */
export class PlainRowsSession extends SQLiteD1Session<Record<string, never>, Record<string, never>> {
  override prepareQuery(...given: Parameters<Prepare>): ReturnType<Prepare> {
    const query = super.prepareQuery(...given)
    const [, fields, , , mapper] = given
    if (fields && !mapper && fields.every(({ path }) => path.length === 1)) {
      const drizzles = query.mapAllResult.bind(query)
      query.mapAllResult = (result, isFromBatch) =>
        isFromBatch ? plainRows(fields, (result as { results: Row[] }).results) : drizzles(result, isFromBatch)
    }
    return query
  }
}
