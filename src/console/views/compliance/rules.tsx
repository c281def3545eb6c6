import { Plus, Repeat2 } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { Form, Select } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"

type Rule = RecordOf<"/api/assignment-rule/tabularlist">

const ON_LEAVE = ["keep", "remove_if_not_started", "remove"] as const
type OnLeave = (typeof ON_LEAVE)[number]

/** What to read again after a rule changed. */
export const RULE_QUERIES = ["/api/assignment-rule", "/api/due"] as const

const columns = (): Column<Rule>[] => [
  {
    key: "name",
    title: t("compliance:name"),
    sort: "name",
    render: ({ id, name }) => <a href={`/console/rules/${id}`}>{name}</a>,
  },
  {
    key: "active",
    title: t("compliance:status"),
    sort: "active",
    render: ({ active }) => (
      <Badge status={active ? "active" : "inactive"}>{t(active ? "compliance:active" : "compliance:inactive")}</Badge>
    ),
  },
  {
    key: "users",
    title: t("compliance:assigned-people"),
    sort: "userCount",
    numeric: true,
    render: ({ userCount, pendingCount }) =>
      pendingCount > 0
        ? t("compliance:assigned-pending", { shown: number(userCount), pending: number(pendingCount) })
        : number(userCount),
  },
  {
    key: "created",
    title: t("compliance:created"),
    sort: "created_at",
    render: ({ created_at }) => <Time value={created_at} />,
  },
]

function DeleteRules({ rules, onDone, onClose }: { rules: readonly Rule[]; onDone: () => void; onClose: () => void }) {
  const remove = useChange({
    call: (enrollments: OnLeave) =>
      api.POST("/api/assignment-rule/delete", { body: { delete_ids: rules.map(({ id }) => id), enrollments } }),
    invalidates: RULE_QUERIES,
  })
  return (
    <Dialog title={t("compliance:rule.delete")} onClose={onClose}>
      <Form
        submit={t("delete")}
        danger
        onSubmit={async (values) => {
          await remove.mutateAsync(values.text("enrollments") as OnLeave)
          onDone()
          onClose()
        }}
        more={<CancelButton />}
      >
        <p>{rules.map(({ name }) => name).join(", ")}</p>
        <Select
          name="enrollments"
          label={t("compliance:rule.delete.enrollments")}
          options={ON_LEAVE.map((value) => ({ value, label: t(`compliance:on-leave.${value}`) }))}
        />
      </Form>
    </Dialog>
  )
}

/** The rules that assign training. */
export default function Rules() {
  const [pending, setPending] = useState<{ rules: readonly Rule[]; clear: () => void }>()
  return (
    <Page
      title={t("nav.rules")}
      actions={
        <a class="button primary" href="/console/rules/new">
          <Plus size={16} aria-hidden /> {t("compliance:rule.new")}
        </a>
      }
    >
      <Listing
        path="/api/assignment-rule/tabularlist"
        caption={t("nav.rules")}
        columns={columns()}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={{
          icon: Repeat2,
          text: t("compliance:rules.empty"),
          action: { label: t("compliance:rule.new"), href: "/rules/new" },
        }}
        filters={[{ name: "name", label: t("compliance:name") }]}
        actions={(rules, clear) => (
          <button type="button" class="danger" onClick={() => setPending({ rules, clear })}>
            {t("delete")}
          </button>
        )}
      />
      {pending && <DeleteRules rules={pending.rules} onDone={pending.clear} onClose={() => setPending(undefined)} />}
    </Page>
  )
}
