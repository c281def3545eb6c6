import { CalendarClock } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { percent, t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { DUE_ACTIONS, type DueAction, DueActionDialog } from "./due-actions.tsx"
import { DueExport } from "./due-export.tsx"
import { DueTiles } from "./due-tiles.tsx"
import { DueStatusBadge, dueStatusOptions } from "./statuses.tsx"

type Row = RecordOf<"/api/due/tabularlist">

const columns = (): Column<Row>[] => [
  {
    key: "name",
    title: t("compliance:person"),
    render: ({ user_id, name }) => <a href={`/console/users/${user_id}?tab=transcript`}>{name}</a>,
  },
  { key: "course", title: t("compliance:course"), render: ({ courseName }) => courseName },
  { key: "due", title: t("compliance:due"), sort: "dueAt", render: ({ dueAt }) => <Time value={dueAt} /> },
  {
    key: "status",
    title: t("compliance:status"),
    render: ({ dueStatus }) => <DueStatusBadge status={dueStatus} />,
  },
  {
    key: "progress",
    title: t("compliance:progress"),
    numeric: true,
    render: ({ percent_complete }) => percent(percent_complete / 100),
  },
  { key: "rule", title: t("compliance:rule"), render: ({ ruleName }) => ruleName ?? t("compliance:set-by-hand") },
]

/** The numbers by due status, each a filter of the list. */
function Summary() {
  const summary = useRead("/api/due/summary")
  const { query } = useUrlState()
  return (
    <Loaded query={summary}>
      {(counts) => <DueTiles counts={counts} label={t("compliance:summary")} current={query.dueStatus} />}
    </Loaded>
  )
}

/** Everyone's training with a due date: who is overdue, and what to do about it. */
export default function DueTraining() {
  const me = useMe()
  const [pending, setPending] = useState<{ action: DueAction; rows: readonly Row[]; clear: () => void }>()
  return (
    <Page title={t("compliance:due-training")} actions={<DueExport />}>
      <div class="in-order">
        <Summary />
        <Listing
          path="/api/due/tabularlist"
          caption={t("compliance:due-training")}
          columns={columns()}
          keyOf={({ id }) => id}
          nameOf={({ name, courseName }) => `${name}, ${courseName}`}
          empty={{
            icon: CalendarClock,
            text: t("compliance:due.empty"),
            ...(hasAccess(me, "staff") && { action: { label: t("nav.rules"), href: "/rules" } }),
          }}
          filters={[
            { name: "nameOrEmail", label: t("compliance:search") },
            {
              name: "dueStatus",
              label: t("compliance:status"),
              options: dueStatusOptions(),
              toApi: (status) => [status],
            },
          ]}
          actions={(rows, clear) =>
            DUE_ACTIONS.map((action) => (
              <button key={action} type="button" onClick={() => setPending({ action, rows, clear })}>
                {t(`compliance:${action}`)}
              </button>
            ))
          }
        />
      </div>
      {pending && (
        <DueActionDialog
          action={pending.action}
          enrollments={pending.rows.map(({ id, name, courseName }) => ({ id, name: `${name}: ${courseName}` }))}
          onDone={pending.clear}
          onClose={() => setPending(undefined)}
        />
      )}
    </Page>
  )
}
