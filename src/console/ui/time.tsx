import { dateTime, t } from "../messages/messages.ts"

const SHOWN = /^[A-Z][a-z]{2} \d{1,2}, \d{4}( \d{1,2}:\d{2} [AP]M)?$/
const PLAIN = /^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}(:\d{2})?)?$/

/**
 * The moment that the API names: as ISO 8601, `2026-01-05 15:04:00` or `Jan 05, 2026 03:04 PM`, all in UTC.
 * @returns undefined for what is no time, such as `Never`
 */
export function momentOf(text: string | number | null | undefined): Date | undefined {
  if (text === null || text === undefined || text === "") return undefined
  if (typeof text === "number") return new Date(text)
  const utc = SHOWN.test(text)
    ? `${text} UTC`
    : PLAIN.test(text)
      ? `${text.replace(" ", "T")}Z`.replace(/^(.{10})Z$/, "$1")
      : text
  const moment = new Date(utc)
  return Number.isNaN(moment.getTime()) ? undefined : moment
}

/** Does a text name a day alone? A day is the same in every time zone. */
const isDay = (text: string | number | null | undefined) => typeof text === "string" && !/\d:\d/.test(text)

/** A moment in the browser's time zone and language; a day alone stays that day. */
export const Time = ({ value, none = t("none") }: { value: string | number | null | undefined; none?: string }) => {
  const moment = momentOf(value)
  if (!moment) return <>{none}</>
  const shown = isDay(value) ? dateTime(moment, { dateStyle: "medium", timeZone: "UTC" }) : dateTime(moment)
  return <time dateTime={moment.toISOString()}>{shown}</time>
}
