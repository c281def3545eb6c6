import { fillPlaceholders } from "drizzle-orm"
import type { PreparedQuery } from "drizzle-orm/session"
import { statementBuilder } from "./client.ts"
import type { Statement } from "./statements.ts"

/** What `batch` needs of a statement. */
interface Built {
  _prepare(): Pick<PreparedQuery, "getQuery" | "mapResult">
}

/**
 * A statement whose SQL does not depend on its values. Building SQL takes most of the CPU of a short request, so it is
 * built once per isolate.
 * @param build the statement with `sql.placeholder(name)` for each value. A null must not need a column's encoder.
 * @returns the statement for values by placeholder
 */
export function prepared<Name extends string, S extends Statement>(
  build: (db: typeof statementBuilder) => S,
): (values: Record<Name, unknown>) => S {
  let built: { sql: string; params: unknown[]; mapResult: PreparedQuery["mapResult"] } | undefined
  const buildOnce = () => {
    const query = (build(statementBuilder) as unknown as { _prepare(): PreparedQuery })._prepare()
    return { ...query.getQuery(), mapResult: query.mapResult.bind(query) }
  }
  return (values) => {
    built ??= buildOnce()
    const { sql, params, mapResult } = built
    const statement: Built = {
      _prepare: () => ({ getQuery: () => ({ sql, params: fillPlaceholders(params, values) }), mapResult }),
    }
    return statement as unknown as S
  }
}

/** Creates a value for each object once, such as for a table. */
export function perObject<T extends object, V>(create: (object: T) => V): (object: T) => V {
  const created = new WeakMap<T, V>()
  return (object) => {
    const found = created.get(object) ?? create(object)
    created.set(object, found)
    return found
  }
}
