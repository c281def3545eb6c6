import { messageResponse, recordOperations } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import {
  createSchedule,
  deleteSchedules,
  getSchedule,
  listSchedules,
  runSchedule,
  updateSchedule,
} from "./report-schedules.queries.ts"
import * as schemas from "./report-schedules.schemas.ts"
import { listedScheduleColumns, scheduleColumns } from "./schedule-fields.ts"

export const reportSchedules = createApp()
const tag = "Reports"

const toSchedule = ({ recipientIds, ...row }: Awaited<ReturnType<typeof getSchedule>>) => ({
  ...scheduleColumns.toRow(row),
  recipientIds,
})

const declared = recordOperations({
  tag,
  names: ["a report schedule", "report schedules"],
  paths: {
    create: "/api/report-schedule/create",
    list: "/api/report-schedule/tabularlist",
    record: "/api/report-schedule/{id}",
    delete: "/api/report-schedule/delete",
  },
  access: { read: "group_admin", create: "group_admin", change: "group_admin" },
  persons: true,
  newRecord: schemas.newSchedule,
  changes: schemas.scheduleChanges,
  listQuery: schemas.scheduleListQuery,
  list: schemas.scheduleList,
  record: schemas.schedule,
  describe: {
    create: "Sends a report by mail each week or month, to its owner and to further users.",
    list: "Staff see all schedules, supervisors their own.",
    change: "Omitted fields keep their values. active: false pauses it. Honors If-Match.",
  },
})

reportSchedules.openapi(declared.create, async (c) =>
  c.json(await createSchedule(c.var.work, c.req.valid("json")), 200),
)

reportSchedules.openapi(declared.list, async (c) => {
  const found = await listSchedules(c.var.db, c.var.caller, c.req.valid("query"))
  return c.json(listPage(c, found, listedScheduleColumns.toRow), 200)
})

reportSchedules.openapi(declared.read, async (c) =>
  c.json(withEtag(c, await getSchedule(c.var.db, c.var.caller, c.req.valid("param").id), toSchedule), 200),
)

reportSchedules.openapi(declared.change, async (c) =>
  c.json(await updateSchedule(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

reportSchedules.openapi(declared.remove, async (c) =>
  c.json(await deleteSchedules(c.var.work, c.req.valid("json").delete_ids), 200),
)

reportSchedules.openapi(
  operation({
    operationId: "runReportSchedule",
    method: "post",
    path: "/api/report-schedule/{id}/run",
    summary: "Send a scheduled report now",
    description: "The next scheduled time stays.",
    tag,
    access: "group_admin",
    keys: "none",
    extension: true,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await runSchedule(c.var.work, c.req.valid("param").id), 200),
)
