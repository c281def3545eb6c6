import { dateTime, relativeTime, t } from "../messages/messages.ts"

const DISPLAY_FORMAT = /^[A-Z][a-z]{2} \d{1,2}, \d{4}( \d{1,2}:\d{2} [AP]M)?$/
const SQL_FORMAT = /^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}(:\d{2})?)?$/

/**
 * Parses a UTC time of the API: ISO 8601, `2026-01-05 15:04:00`, `Jan 05, 2026 03:04 PM` or epoch milliseconds.
 * @returns undefined for other text, such as `Never`
 */
export function parseDate(text: string | number | null | undefined): Date | undefined {
  if (text === null || text === undefined || text === "") return undefined
  if (typeof text === "number") return new Date(text)
  const utc = DISPLAY_FORMAT.test(text)
    ? `${text} UTC`
    : SQL_FORMAT.test(text)
      ? `${text.replace(" ", "T")}Z`.replace(/^(.{10})Z$/, "$1")
      : text
  const date = new Date(utc)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const MINUTE_MS = 60_000

/** The start of the current minute, so that the key of a query stays the same while its data is fresh. */
export const currentMinute = () => new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS)

/** Local time for a `datetime-local` input. */
export function toInputTime(time: string | number | null | undefined): string {
  const date = parseDate(time)
  return date ? new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16) : ""
}

/** Whether a text is a date without a time, which is not converted between time zones. */
const isDateOnly = (text: string | number | null | undefined) => typeof text === "string" && !/\d:\d/.test(text)

/** A time in the browser's time zone and language; a date without a time is not converted. */
export const Time = ({ value, none = t("none") }: { value: string | number | null | undefined; none?: string }) => {
  const date = parseDate(value)
  if (!date) return <>{none}</>
  const text = isDateOnly(value) ? dateTime(date, { dateStyle: "medium", timeZone: "UTC" }) : dateTime(date)
  return <time dateTime={date.toISOString()}>{text}</time>
}

/** How long ago it was, such as "4 days ago"; `none` if it never was. */
export const TimeAgo = ({ value, none = t("never") }: { value: string | null; none?: string }) =>
  value === null ? (
    none
  ) : (
    <time dateTime={value} title={dateTime(new Date(value))}>
      {relativeTime(new Date(value))}
    </time>
  )
