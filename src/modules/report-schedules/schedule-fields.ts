import { z } from "@hono/zod-openapi"
import { REPORT_INTERVALS, reportSchedules, SCHEDULED_REPORTS } from "../../../drizzle/schema/report-schedules.ts"
import {
  boolean,
  choice,
  integer,
  json,
  jsonObject,
  keepIfNone,
  keepIfNull,
  name,
  withDefault,
} from "../../lib/input/input.ts"
import { column, isoSchemaOrNull, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, sortedIntegerColumn, sortedTextColumn } from "../../lib/spreadsheet/common-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { isoTimeOrNull } from "../../lib/text/dates.ts"

const filter = () =>
  jsonObject(z.record(z.string(), json())).openapi({
    type: "object",
    additionalProperties: true,
    description: "The body of the report's export, with its format",
    example: { group_id: 1, format: "xlsx" },
  })
const day = () =>
  integer(1, 31).openapi({
    type: "integer",
    minimum: 1,
    maximum: 31,
    description: "Weekly: 1 (Monday) to 7. Monthly: 1 to 31, or the last day of a shorter month",
  })
const hour = () =>
  integer(0, 23).openapi({
    type: "integer",
    minimum: 0,
    maximum: 23,
    description: "The hour of the day in the time zone of the owner",
  })

export const scheduleFields = recordFields(reportSchedules, {
  name: { create: name(), change: keepIfNull(name()), answer: sortedTextColumn(reportSchedules.name), listed: true },
  report: {
    create: choice(SCHEDULED_REPORTS),
    change: false,
    answer: column(reportSchedules.report, z.enum(SCHEDULED_REPORTS)),
    listed: true,
  },
  filter: {
    create: filter(),
    change: keepIfNone(filter()),
    answer: column(reportSchedules.filter, z.record(z.string(), json())),
  },
  interval: {
    create: choice(REPORT_INTERVALS),
    change: keepIfNone(choice(REPORT_INTERVALS)),
    answer: column(reportSchedules.interval, z.enum(REPORT_INTERVALS)),
    listed: true,
  },
  day: {
    create: withDefault(day(), 1),
    change: keepIfNone(day()),
    answer: column(reportSchedules.day, z.number().int()),
    listed: true,
  },
  hour: {
    create: withDefault(hour(), 7),
    change: keepIfNone(hour()),
    answer: column(reportSchedules.hour, z.number().int()),
    listed: true,
  },
  active: {
    create: withDefault(boolean(), true).openapi({ type: "boolean", description: "false: paused" }),
    change: keepIfNone(boolean()),
    answer: column(reportSchedules.active, z.boolean()),
    listed: true,
  },
})

const shared = {
  ownerId: sortedIntegerColumn(reportSchedules.ownerId),
  nextRunAt: column(reportSchedules.nextRunAt, isoSchemaOrNull(), { show: isoTimeOrNull }),
  lastRunAt: column(reportSchedules.lastRunAt, isoSchemaOrNull(), { show: isoTimeOrNull }),
}

export const scheduleColumns = listColumns({
  id: integerColumn(reportSchedules.id),
  ...scheduleFields.answers,
  ...shared,
})
export const listedScheduleColumns = listColumns({
  id: integerColumn(reportSchedules.id),
  ...scheduleFields.listed,
  ...shared,
})
