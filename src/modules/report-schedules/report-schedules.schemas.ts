import { z } from "@hono/zod-openapi"
import { ids, keepIfNone, withDefault } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { listedScheduleColumns, scheduleColumns, scheduleFields } from "./schedule-fields.ts"

/** Recipients besides the owner. */
const MAX_RECIPIENTS = 20

const recipientIds = () =>
  ids(MAX_RECIPIENTS).openapi({
    type: "array",
    items: { type: "integer", minimum: 1 },
    maxItems: MAX_RECIPIENTS,
    description: "Further users who receive it: supervisors and staff. Each gets what they may see",
  })

export const newSchedule = z
  .object({ ...scheduleFields.create, recipientIds: withDefault(recipientIds(), []) })
  .openapi("NewReportSchedule", {
    example: { name: "Overdue training", report: "overdue", interval: "weekly", day: 1, hour: 7 },
  })
export type NewSchedule = z.output<typeof newSchedule>

export const scheduleChanges = z
  .object({ ...scheduleFields.change, recipientIds: keepIfNone(recipientIds()) })
  .openapi("ReportScheduleChanges")
export type ScheduleChanges = z.output<typeof scheduleChanges>

export const schedule = scheduleColumns.row
  .extend({ recipientIds: z.array(z.number().int()) })
  .openapi("ReportSchedule")

export const scheduleListQuery = listQuery(Object.keys(listedScheduleColumns.sort), {})
export const scheduleList = listResponse(listedScheduleColumns.row.openapi("ReportScheduleRow"))
