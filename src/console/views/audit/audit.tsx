import type { RecordOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import "./audit.css"
import { Changes } from "./audit-details.tsx"

type Row = RecordOf<"/api/audit-activities">

/** Rows have no number of their own: what the service told of each tells it from the others of its page. */
const columns = (): Column<Row>[] => [
  { key: "when", title: t("audit:audit.time"), sort: "created_at", render: (row) => <Time value={row.created_at} /> },
  { key: "who", title: t("audit:audit.user"), sort: "performed_by", render: ({ performed_by }) => performed_by },
  {
    key: "action",
    title: t("audit:audit.action"),
    sort: "action",
    render: ({ action }) => <span class="badge">{t(`audit:audit.action.${action}`)}</span>,
  },
  {
    key: "subject",
    title: t("audit:audit.object-type"),
    sort: "subject",
    render: ({ subject }) => <span lang="en">{subject}</span>,
  },
  {
    key: "record",
    title: t("audit:audit.object"),
    sort: "effect_on",
    render: ({ effect_on }) => <span dir="auto">{effect_on}</span>,
  },
  { key: "changes", title: t("audit:audit.changes"), render: ({ details }) => <Changes of={details} /> },
]

/** Who changed what, and when: the newest first. */
export default function Audit() {
  const verbs = useRead("/api/audit-activities/verb/lookup")
  // Of a page of one row, for the kinds that have been recorded.
  const kinds = useRead("/api/audit-activities", { params: { query: { page_size: 1, page_number: 1 } } })
  const keys = new WeakMap<Row, number>()
  let last = 0
  const keyOf = (row: Row) => {
    const key = keys.get(row) ?? ++last
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
        filters={[
          {
            name: "activityName",
            label: t("audit:audit.action"),
            options: (verbs.data ?? []).map(({ db_value }) => ({
              value: db_value,
              label: t(`audit:audit.action.${db_value}`),
            })),
          },
          { name: "performed_by", label: t("audit:audit.search-user") },
          {
            name: "performedOn",
            label: t("audit:audit.object-type"),
            options: (kinds.data?.performedOnList ?? []).map((kind) => ({ value: kind, label: kind })),
          },
          { name: "from", of: "dates", type: "date", label: t("audit:audit.from") },
          { name: "to", of: "dates", type: "date", label: t("audit:audit.to") },
        ]}
      />
    </Page>
  )
}
