import type { Schemas } from "../../../client/index.ts"
import { dateTime } from "../../messages/messages.ts"
import type { Values } from "../../ui/form.tsx"

export type Schedule = Schemas["ReportSchedule"]
type Report = Schedule["report"]

export const REPORTS = ["overdue", "due_summary", "compliance_matrix", "enrollments"] as const satisfies Report[]
export const FORMATS = ["xlsx", "csv", "pdf"] as const

/** The parts of an export's body that the form shows. */
interface ReportFilter {
  group_id?: number
  format?: string
  search_param?: { courseId?: number; courseIds?: number[] }
}

export const readFilter = (schedule: Schedule | undefined) => {
  const { group_id, format = "xlsx", search_param = {} }: ReportFilter = schedule?.filter ?? {}
  const { courseId, courseIds = courseId === undefined ? [] : [courseId] } = search_param
  return { groupId: group_id, format, courseIds }
}

const isReport = (text: string): text is Report => (REPORTS as readonly string[]).includes(text)

/** The filter of the form. Filters that only the API can set stay as they are. */
function filterOf(values: Values, report: Report) {
  const stored: ReportFilter = JSON.parse(values.text("storedFilter"))
  const courseIds = values.all("courseIds").map(Number)
  const courses =
    report === "compliance_matrix"
      ? { courseIds: courseIds.length > 0 ? courseIds : undefined }
      : { courseId: values.number("courseId") }
  return {
    ...stored,
    group_id: values.number("groupId"),
    format: values.text("format"),
    search_param: { ...stored.search_param, ...(report !== "due_summary" && courses) },
  }
}

/** The body of the request that creates or changes a schedule. */
export function toScheduleBody(values: Values) {
  const text = values.text("report")
  const report = isReport(text) ? text : "overdue"
  return {
    name: values.text("name"),
    report,
    filter: filterOf(values, report),
    interval: values.text("interval") === "monthly" ? ("monthly" as const) : ("weekly" as const),
    day: values.number("day") ?? 1,
    hour: values.number("hour") ?? 0,
    recipientIds: values.all("recipientIds").map(Number),
  }
}

// January 1, 2024 is a Monday.

/** The name of a day of the week. @param day 1 (Monday) to 7 */
export const weekday = (day: number) => dateTime(new Date(Date.UTC(2024, 0, day)), { weekday: "long", timeZone: "UTC" })

/** An hour of the day as a time. */
export const hourText = (hour: number) =>
  dateTime(new Date(Date.UTC(2024, 0, 1, hour)), { hour: "numeric", minute: "2-digit", timeZone: "UTC" })
