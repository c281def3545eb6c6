import { CalendarSync } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { RecordsPage } from "../../ui/records-page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { hourText, toScheduleBody, weekday } from "./schedule-body.ts"
import { ScheduleFields } from "./schedule-fields.tsx"

type Row = RecordOf<"/api/report-schedule/tabularlist">

const QUERIES = ["/api/report-schedule"] as const

const timesOf = ({ interval, day, hour }: Row) =>
  interval === "weekly"
    ? t("reports:schedule.weekly-at", { day: weekday(day), time: hourText(hour) })
    : t("reports:schedule.monthly-at", { day: number(day), time: hourText(hour) })

const columns = (): Column<Row>[] => [
  {
    key: "report",
    title: t("reports:schedule.report"),
    render: ({ report }) => t(`reports:schedule.report.${report}`),
  },
  { key: "times", title: t("reports:schedule.sent"), render: timesOf },
  {
    key: "active",
    title: t("reports:schedule.status"),
    render: ({ active }) => (
      <Badge status={active ? "active" : "paused"}>
        {t(active ? "reports:schedule.active" : "reports:schedule.paused")}
      </Badge>
    ),
  },
  { key: "next", title: t("reports:schedule.next"), render: ({ nextRunAt }) => <Time value={nextRunAt} /> },
  {
    key: "last",
    title: t("reports:schedule.last"),
    render: ({ lastRunAt }) => <Time value={lastRunAt} none={t("reports:schedule.never")} />,
  },
]

/** Reports that are sent by mail each week or month. */
export default function ReportSchedules() {
  const run = useChange({
    call: (id: number) => api.POST("/api/report-schedule/{id}/run", { params: { path: { id } } }),
    invalidates: QUERIES,
  })
  const activate = useChange({
    call: ({ id, active }: Pick<Row, "id" | "active">) =>
      api.PUT("/api/report-schedule/{id}", { params: { path: { id } }, body: { active } }),
    invalidates: QUERIES,
  })
  return (
    <RecordsPage
      kind={{
        list: "/api/report-schedule/tabularlist",
        record: "/api/report-schedule/{id}",
        nameOf: ({ name }) => name,
        fields: (schedule) => <ScheduleFields schedule={schedule} />,
        toBody: toScheduleBody,
        create: (body) => api.POST("/api/report-schedule/create", { body }),
        change: (id, body, headers) =>
          api.PUT("/api/report-schedule/{id}", { params: { path: { id } }, body, headers }),
        remove: (delete_ids) => api.POST("/api/report-schedule/delete", { body: { delete_ids } }),
        invalidates: QUERIES,
      }}
      icon={CalendarSync}
      texts={{
        title: t("nav.report-schedules"),
        new: t("reports:schedule.new"),
        edit: t("reports:schedule.edit"),
        delete: t("reports:schedule.delete"),
        deleteHint: t("reports:schedule.delete.hint"),
        empty: t("reports:schedule.empty"),
      }}
      canChange
      columns={columns()}
      rowActions={({ id, name, active }) => (
        <>
          <button type="button" disabled={run.isPending} onClick={() => run.mutate(id)}>
            {t("reports:schedule.run")} <span class="unseen">{name}</span>
          </button>
          <button type="button" disabled={activate.isPending} onClick={() => activate.mutate({ id, active: !active })}>
            {t(active ? "reports:schedule.pause" : "reports:schedule.resume")} <span class="unseen">{name}</span>
          </button>
        </>
      )}
    >
      <ErrorMessage error={run.error ?? activate.error} />
    </RecordsPage>
  )
}
