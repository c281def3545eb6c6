import { isUtf8Encoded } from "../text/encoding.ts"

type Members = Map<string, string | string[]>

/**
 * Converts bracket parameters of a query string to plain ones: `order_by[colName]=a&order_by[direction]=asc` becomes
 * `order_by={"colName":"a","direction":"asc"}`, `ids[]=1&ids[]=2` becomes `ids=["1","2"]`.
 * @returns the same URL if there are none
 */
export function foldBrackets(url: string): string {
  if (!/[[]|%5b/i.test(url)) return url
  const target = new URL(url)
  const folded: [string, string][] = []
  // A Map, because names from outside could match inherited members of an object.
  const nested = new Map<string, string[] | Members>()
  for (const [key, value] of target.searchParams) {
    const match = /^([^[\]]+)\[([^[\]]*)\](\[\d*\])?$/.exec(key)
    if (!match) {
      folded.push([key, value])
      continue
    }
    const [, base = "", member = "", many] = match
    const found = nested.get(base) ?? (/^\d*$/.test(member) ? [] : new Map())
    nested.set(base, found)
    if (Array.isArray(found)) found.push(value)
    else if (many) found.set(member, appendValue(found.get(member), value))
    else found.set(member, value)
  }
  for (const [key, found] of nested)
    folded.push([key, JSON.stringify(Array.isArray(found) ? found : Object.fromEntries(found))])
  target.search = new URLSearchParams(folded).toString()
  return target.href
}

function appendValue(values: string | string[] | undefined, value: string): string[] {
  if (!Array.isArray(values)) return values === undefined ? [value] : [values, value]
  values.push(value)
  return values
}

/** The query parameters whose name or value is not percent-encoded UTF-8. */
export function undecodable(url: string): string[] {
  const start = url.indexOf("?")
  if (start < 0 || isUtf8Encoded(url.slice(start))) return []
  const pairs = url.slice(start + 1).split("&")
  const wrong = pairs.filter((pair) => !isUtf8Encoded(pair))
  return [...new Set(new URLSearchParams(wrong.join("&")).keys())]
}
