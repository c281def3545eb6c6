import type { RecordOf } from "../../../client/index.ts"
import { percent, t } from "../../messages/messages.ts"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { statusLabel } from "./statuses.ts"

type Enrollment = RecordOf<"/api/users/enrolled-courses">

export const dateColumns = <
  Row extends Pick<Enrollment, "registered_on" | "started_on" | "completed_on">,
>(): Column<Row>[] => [
  {
    key: "registered",
    title: t("users:enrolled-on"),
    sort: "registered_on",
    render: ({ registered_on }) => <Time value={registered_on} />,
  },
  {
    key: "started",
    title: t("users:started"),
    sort: "started_on",
    render: ({ started_on }) => <Time value={started_on} />,
  },
  {
    key: "completed",
    title: t("status.completed"),
    sort: "completed_on",
    render: ({ completed_on }) => <Time value={completed_on} />,
  },
]

export const progressColumns = <Row extends Pick<Enrollment, "status" | "percentComplete">>(): Column<Row>[] => [
  { key: "status", title: t("users:status"), sort: "status", render: ({ status }) => statusLabel(status) },
  {
    key: "percent",
    title: t("users:progress"),
    sort: "percentComplete",
    numeric: true,
    render: ({ percentComplete }) => percent(percentComplete / 100),
  },
]
