// What calls said, made into examples: short, and the same however often and whenever they are taken.
import type { Answer, Said } from "./driver.ts"

/** When all examples are taken, whatever the clock says. */
const NOON = Date.UTC(2026, 0, 5, 12)
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** As much of a list as shows what it is. */
const SHOWN = 2
const LONGEST = 240

/** An operation's example, as /openapi.json shows it. */
export interface Example {
  request?: unknown
  answer?: unknown
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const MONTH = `(?:${MONTHS.join("|")})`
const two = (part: number) => String(part).padStart(2, "0")

/**
 * Moves every date in texts by whole days, as if the calls had been made on that day. Of times only the hour is told;
 * the hour in which they were made is noon.
 */
function dated(at: number) {
  const days = Math.floor(NOON / DAY) - Math.floor(at / DAY)
  const current = [at, at - HOUR].map((time) => new Date(time).getUTCHours())
  // On another day that hour is no sign of when the call was made.
  const hourOf = (day: number, hour: number) => (Math.abs(at - day) < 2 * DAY && current.includes(hour) ? 12 : hour)
  const moved = (time: number) => new Date(time + days * DAY)
  return (text: string) =>
    text
      .replace(/\b(20\d\d)-(\d\d)-(\d\d)(T\d\d:\d\d:\d\d(?:\.\d+)?Z)?/g, (found, _y, _m, _d, time?: string) => {
        const day = moved(Date.parse(`${found.slice(0, 10)}T00:00:00Z`))
          .toISOString()
          .slice(0, 10)
        const given = Date.parse(`${found.slice(0, 10)}T00:00:00Z`)
        return time ? `${day}T${two(hourOf(given, Number(time.slice(1, 3))))}:00:00.000Z` : day
      })
      .replace(/-20\d{6}-\d{6}-[\da-f]{8}(?=\.)/g, "-20260105-120000-7c9e6679")
      .replace(new RegExp(`\\b(${MONTH}) (\\d\\d), (20\\d\\d)(?: (\\d\\d):\\d\\d ([AP]M))?`, "g"), (_, ...parts) => {
        const [month, day, year, hour, half] = parts as string[]
        const date = moved(Date.UTC(Number(year), MONTHS.indexOf(month ?? ""), Number(day)))
        const shown = `${MONTHS[date.getUTCMonth()]} ${two(date.getUTCDate())}, ${date.getUTCFullYear()}`
        if (!hour) return shown
        const told = hourOf(date.getTime() - days * DAY, (Number(hour) % 12) + (half === "PM" ? 12 : 0))
        return `${shown} ${two(told % 12 || 12)}:00 ${told < 12 ? "AM" : "PM"}`
      })
}

/** Makes what is made at random the same each time: ids in order, tokens and secrets as what they look like. */
function pinned(url: string) {
  const ids = new Map<string, string>()
  const idOf = (found: string) => {
    const known = ids.get(found) ?? `00000000-0000-4000-8000-${String(ids.size + 1).padStart(12, "0")}`
    ids.set(found, known)
    return known
  }
  return (text: string) =>
    text
      .replaceAll(url, "https://academy.example")
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, idOf)
      .replace(/(?<=\bwhsec_)[\w+/=]+/g, "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
      .replace(/\b[\w-]{20,}\.[\w-]{40,}(?:\.[\w-]{20,})?\b/g, "eyJzZXNzaW9uIjoxfQ.c2lnbmF0dXJl")
      .replace(/(?<![\w-])(lk_)?[\w-]{43,}(?![\w-])/g, "$1kZ3pXo2uVf9sQeT1bN5mJ7wRy0cG4hLdAaEiUqPtKsM")
      .replace(/(?<=\blr_)\d+/g, "4811617870082070")
      .replace(/(?<=session=)[\w-]{16}/g, "kZ3pXo2uVf9sQeT1")
      .replace(/(?<=evt_\d+_)[a-z0-9]+/g, "mwsbpgmt")
      .replace(/\b[A-Z2-7]{32}\b/g, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
      .replace(/^<svg[\s\S]*<\/svg>\s*$/, '<svg xmlns="http://www.w3.org/2000/svg"></svg>')
}

/** What is another each time, by its member. */
const FIXED: Record<string, unknown> = {
  recoveryCodes: ["4f7k2-9xq3m", "m2p8w-6vt4c"],
  secretCode: "123456",
  referralCode: "W3RP2BRU4N",
}

/** Shortens lists and long texts, and what `text` makes of every text. */
function shortened(value: Answer, text: (given: string) => string, whole: boolean, key = ""): Answer {
  if (key in FIXED) return FIXED[key]
  if (typeof value === "string") {
    const made = text(value)
    return made.length > LONGEST && !whole ? `${made.slice(0, LONGEST)}…` : made
  }
  if (typeof value === "number") return value > 1_500_000_000_000 ? NOON : value
  if (Array.isArray(value)) return (whole ? value : value.slice(0, SHOWN)).map((one) => shortened(one, text, whole))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [text(name), shortened(member, text, whole, name)]),
  )
}

/** A form has texts alone; the document tells what they stand for. */
const sentIn = (value: string | File) => (value instanceof File ? value.name : value === "true" ? true : value)

/** The examples of what was said, by the operations' ids. @param url of the service that answered */
export function examplesOf(said: Said[], url: string): Record<string, Example> {
  const [inTime, pin] = [dated(Date.now()), pinned(url)]
  const text = (given: string) => inTime(pin(given))
  const shown = said.map(({ operationId, given, type, answer }): [string, Example] => {
    const { body, form } = { ...given, form: given.form ?? given.fields }
    const fields = form && Object.entries(form).map(([name, value]) => [name, sentIn(value)])
    const request = body ?? (fields && Object.fromEntries(fields))
    return [
      operationId,
      {
        ...(request !== undefined && { request: shortened(request, text, true) }),
        ...(/json/.test(type) && { answer: shortened(answer, text, false) }),
      },
    ]
  })
  // The first of several calls is the one to show.
  return Object.fromEntries(shown.toReversed().toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
