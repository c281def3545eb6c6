import { apiText, dateTime } from "../messages/messages.ts"
import { parseDate } from "./time.tsx"

/** The API's reasons why a module can't be opened, by how they read. */
const REASONS: readonly [name: string, pattern: RegExp][] = [
  ["courses", /^Complete these courses first: (?<name>.+)\.$/],
  ["module", /^Complete (?<name>.+) first\.$/],
  ["expired", /^The enrollment expired on (?<day>.+)\.$/],
  ["opens", /^Available on (?<day>.+)\.$/],
]

/** The translation of a reason; undefined: there is none. */
export function lockReason(reason: string): string | undefined {
  for (const [name, pattern] of REASONS) {
    const params = pattern.exec(reason)?.groups
    if (!params) continue
    const day = parseDate(params.day)
    return apiText(`lock.${name}`, {
      ...params,
      ...(day && { day: dateTime(day, { dateStyle: "medium", timeZone: "UTC" }) }),
    })
  }
  return undefined
}
