/**
 * Folds the bracket forms of a query string into the plain ones: `order_by[colName]=a&order_by[direction]=asc` becomes
 * `order_by={"colName":"a","direction":"asc"}`, `ids[]=1&ids[]=2` becomes `ids=["1","2"]`.
 * @returns the same URL when there is nothing to fold.
 */
export function foldBrackets(url: string): string {
  if (!/[[]|%5b/i.test(url)) return url
  const target = new URL(url)
  const folded: [string, string][] = []
  const nested = new Map<string, Record<string, unknown> | unknown[]>()
  for (const [key, value] of target.searchParams) {
    const match = /^([^[\]]+)\[([^[\]]*)\](\[\d*\])?$/.exec(key)
    if (!match) {
      folded.push([key, value])
      continue
    }
    const [, base = "", member = "", many] = match
    const isList = /^\d*$/.test(member)
    const target = nested.get(base) ?? (isList ? [] : {})
    nested.set(base, target)
    if (Array.isArray(target)) target.push(value)
    else if (many) target[member] = [...((target[member] as unknown[] | undefined) ?? []), value]
    else target[member] = value
  }
  for (const [key, value] of nested) folded.push([key, JSON.stringify(value)])
  target.search = new URLSearchParams(folded).toString()
  return target.href
}
