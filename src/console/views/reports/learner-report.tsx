import { ClipboardList } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { number, percent, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { ENROLLMENT_STATUSES, statusLabel } from "../users/statuses.ts"
import { dayText } from "./day.ts"

type Row = RecordOf<"/api/user/reports/user-detailed">

const columns = (): Column<Row>[] => [
  {
    key: "name",
    title: t("reports:learner"),
    sort: "name",
    render: ({ user_id, name }) => <a href={`/console/users/${user_id}`}>{name}</a>,
  },
  { key: "course", title: t("reports:course"), sort: "courseName", render: ({ courseName }) => courseName },
  {
    key: "status",
    title: t("reports:status"),
    render: ({ status }) => <Badge status={status}>{statusLabel(status)}</Badge>,
  },
  {
    key: "progress",
    title: t("reports:progress"),
    numeric: true,
    render: ({ percent_complete }) => percent(percent_complete / 100),
  },
  {
    key: "score",
    title: t("reports:percent"),
    numeric: true,
    render: ({ percent_achieved }) => (percent_achieved === null ? t("none") : percent(percent_achieved / 100)),
  },
  {
    key: "registered",
    title: t("reports:enrolled-on"),
    sort: "registered_on",
    render: ({ registeredAt }) => dayText(registeredAt),
  },
  { key: "completed", title: t("reports:completed"), render: ({ completedAt }) => dayText(completedAt) },
  {
    key: "certificate",
    title: t("reports:certificate"),
    render: ({ certifcate_issued }) =>
      certifcate_issued ? <Badge status="completed">{t("reports:issued")}</Badge> : t("none"),
  },
]

/** Every enrollment that the caller can see, with its progress and result. */
export default function LearnerReport() {
  const me = useMe()
  return (
    <Page
      title={t("nav.report-learners")}
      actions={
        <a class="button" href="/console/exports?kind=insight">
          {t("reports:export")}
        </a>
      }
    >
      <Listing
        path="/api/user/reports/user-detailed"
        caption={t("nav.report-learners")}
        columns={columns()}
        keyOf={({ id }) => id}
        filters={[
          { name: "nameOrEmail", label: t("reports:search") },
          { name: "course", label: t("reports:course") },
          {
            name: "status",
            label: t("reports:status"),
            options: ENROLLMENT_STATUSES.map((value) => ({ value, label: statusLabel(value) })),
            toApi: (status) => [status],
          },
        ]}
        empty={{
          icon: ClipboardList,
          text: t("reports:learners.empty"),
          ...(hasAccess(me, "staff") && { action: { label: t("nav.enrollments"), href: "/enrollments" } }),
        }}
      >
        {({ totalNotStarted, totalInProgress, totalCompleted }) => (
          <p class="quiet">
            {t("reports:learners.totals", {
              notStarted: number(totalNotStarted),
              inProgress: number(totalInProgress),
              completed: number(totalCompleted),
            })}
          </p>
        )}
      </Listing>
    </Page>
  )
}
