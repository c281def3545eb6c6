import { dateTime, t } from "../../messages/messages.ts"
import { parseDate } from "../../ui/time.tsx"

/** The day of a time in the browser's time zone, for tables with many columns. */
export function dayText(time: string | null): string {
  const date = parseDate(time)
  return date ? dateTime(date, { dateStyle: "medium" }) : t("none")
}
