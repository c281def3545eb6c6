import { ScrollText } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import "./audit.css"
import { Badge } from "../../ui/badge.tsx"
import { AuditDetails } from "./audit-details.tsx"

type Row = RecordOf<"/api/audit-activities">

const columns = (): Column<Row>[] => [
  { key: "time", title: t("audit:audit.time"), sort: "created_at", render: (row) => <Time value={row.created_at} /> },
  { key: "user", title: t("audit:audit.user"), sort: "performed_by", render: ({ performed_by }) => performed_by },
  {
    key: "action",
    title: t("audit:audit.action"),
    sort: "action",
    render: ({ action }) => <Badge>{t(`audit:audit.action.${action}`)}</Badge>,
  },
  {
    key: "object-type",
    title: t("audit:audit.object-type"),
    sort: "subject",
    render: ({ subject }) => <span lang="en">{subject}</span>,
  },
  {
    key: "object",
    title: t("audit:audit.object"),
    sort: "effect_on",
    render: ({ effect_on }) => <span dir="auto">{effect_on}</span>,
  },
  { key: "changes", title: t("audit:audit.changes"), render: ({ details }) => <AuditDetails details={details} /> },
]

/** The audit log, newest first. */
export default function AuditLog() {
  const actions = useRead("/api/audit-activities/verb/lookup")
  // A page of one row, for its list of object types.
  const firstPage = useRead("/api/audit-activities", { params: { query: { page_size: 1, page_number: 1 } } })
  // The rows have no id.
  const keys = new WeakMap<Row, number>()
  let lastKey = 0
  const keyOf = (row: Row) => {
    const key = keys.get(row) ?? ++lastKey
    keys.set(row, key)
    return key
  }
  return (
    <Page title={t("nav.audit")}>
      <Listing
        path="/api/audit-activities"
        caption={t("nav.audit")}
        columns={columns()}
        keyOf={keyOf}
        empty={{ icon: ScrollText, text: t("audit:audit.empty") }}
        filters={[
          {
            name: "activityName",
            label: t("audit:audit.action"),
            options: (actions.data ?? []).map(({ db_value }) => ({
              value: db_value,
              label: t(`audit:audit.action.${db_value}`),
            })),
          },
          { name: "performed_by", label: t("audit:audit.search-user") },
          {
            name: "performedOn",
            label: t("audit:audit.object-type"),
            options: (firstPage.data?.performedOnList ?? []).map((type) => ({ value: type, label: type })),
          },
          { name: "from", partOf: "dates", type: "date", label: t("audit:audit.from") },
          { name: "to", partOf: "dates", type: "date", label: t("audit:audit.to") },
        ]}
      />
    </Page>
  )
}
