/** D1 binds at most this many parameters to a statement. */
const MAX_PARAMETERS = 100

/** A placeholder, or a quoted text or name that may contain a question mark. */
const PLACEHOLDERS = /'[^']*'|"[^"]*"|\?/g

/**
 * Numbers the placeholders of a statement with many parameters, so that equal values are bound once. Filters of lists
 * repeat their values where they choose between plans.
 */
export function shareParameters({ sql, params }: { sql: string; params: unknown[] }) {
  if (params.length <= MAX_PARAMETERS) return { sql, params }
  const numbers = new Map<unknown, number>()
  let at = 0
  const numbered = sql.replace(PLACEHOLDERS, (found) => {
    if (found !== "?") return found
    const value = params[at++]
    const number = numbers.get(value) ?? numbers.size + 1
    numbers.set(value, number)
    return `?${number}`
  })
  return { sql: numbered, params: [...numbers.keys()] }
}
