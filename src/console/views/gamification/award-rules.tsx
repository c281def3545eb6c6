import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useEditableRecord, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { ConfirmDialog, Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { CheckBox, Form, Select, TextField, type Values } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { TARGET_FIELDS } from "./rule-target.tsx"

type Rule = RecordOf<"/api/gamification-event/tabularlist">
type Trigger = Rule["type"]

const TRIGGERS = [
  "course_completed",
  "learning_path_completed",
  "quiz_passed",
  "assignment_accepted",
  "class_attended",
  "login",
] as const satisfies readonly Trigger[]
const RULE_QUERIES = ["/api/gamification-event"]
const MAX_POINTS = 1_000_000

const isTrigger = (text: string): text is Trigger => (TRIGGERS as readonly string[]).includes(text)

const toRuleBody = (values: Values) => {
  const type = values.text("type")
  return {
    name: values.text("name"),
    type: isTrigger(type) ? type : ("login" as const),
    targetId: values.number("targetId") ?? null,
    badgeId: values.number("badgeId") ?? null,
    points: values.number("points") ?? 0,
    active: values.checked("active"),
  }
}

/** The target field depends on the trigger. */
function RuleFields({ rule }: { rule?: Rule }) {
  const [type, setType] = useState<string>(rule?.type ?? "course_completed")
  const badge = useRead(
    "/api/badge/{id}",
    { params: { path: { id: rule?.badgeId ?? 0 } } },
    { enabled: !!rule?.badgeId },
  )
  const TargetField = TARGET_FIELDS[type]
  return (
    <>
      <TextField name="name" label={t("gamification:name")} defaultValue={rule?.name ?? ""} required maxLength={100} />
      <Select
        name="type"
        label={t("gamification:event.trigger")}
        options={TRIGGERS.map((trigger) => ({ value: trigger, label: t(`gamification:event.${trigger}`) }))}
        value={type}
        onChange={setType}
      />
      {TargetField && <TargetField key={type} id={rule?.type === type ? (rule.targetId ?? undefined) : undefined} />}
      <Combobox
        name="badgeId"
        label={t("gamification:badge")}
        path="/api/badges/tabularlist"
        searchBy="title"
        toChoice={({ id, title }) => ({ id, name: title })}
        value={rule?.badgeId ? { id: rule.badgeId, name: badge.data?.title ?? String(rule.badgeId) } : undefined}
      />
      <TextField
        name="points"
        label={t("gamification:points")}
        hint={t("gamification:event.points")}
        type="number"
        min={0}
        max={MAX_POINTS}
        defaultValue={rule?.points ?? 0}
        required
      />
      <CheckBox name="active" label={t("gamification:event.active")} defaultChecked={rule?.active ?? true} />
    </>
  )
}

function NewRule({ onClose }: { onClose: () => void }) {
  const create = useChange({
    call: (body: ReturnType<typeof toRuleBody>) => api.POST("/api/gamification-event/create", { body }),
    invalidates: RULE_QUERIES,
  })
  return (
    <Dialog title={t("gamification:event.new")} onClose={onClose}>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          await create.mutateAsync(toRuleBody(values))
          onClose()
        }}
      >
        <RuleFields />
      </Form>
    </Dialog>
  )
}

function EditRule({ id, onClose }: { id: number; onClose: () => void }) {
  const init = { params: { path: { id } } }
  const editable = useEditableRecord("/api/gamification-event/{id}", init)
  const change = useChange({
    call: ({ version, ...body }: ReturnType<typeof toRuleBody> & { version: string }) =>
      api.PUT("/api/gamification-event/{id}", { ...init, body, headers: { "If-Match": version } }),
    invalidates: RULE_QUERIES,
  })
  return (
    <Dialog title={t("gamification:event.edit")} onClose={onClose}>
      <Loaded query={editable}>
        {({ record, version }) => (
          <Form
            submit={t("save")}
            onSubmit={async (values) => {
              await change.mutateAsync({ ...toRuleBody(values), version })
              onClose()
            }}
          >
            <RuleFields rule={record} />
          </Form>
        )}
      </Loaded>
    </Dialog>
  )
}

type OpenDialog = { type: "new" } | { type: "edit"; id: number } | { type: "delete"; rules: readonly Rule[] }

/** Rules that award points and badges automatically: the gamification events of the API. */
export default function AwardRules() {
  const [open, setOpen] = useState<OpenDialog>()
  const close = () => setOpen(undefined)
  const remove = useChange({
    call: (delete_ids: number[]) => api.POST("/api/gamification-event/delete", { body: { delete_ids } }),
    invalidates: RULE_QUERIES,
  })
  const columns: Column<Rule>[] = [
    { key: "name", title: t("gamification:name"), sort: "name", render: ({ name }) => name },
    {
      key: "type",
      title: t("gamification:event.trigger"),
      sort: "type",
      render: ({ type }) => t(`gamification:event.${type}`),
    },
    {
      key: "points",
      title: t("gamification:points"),
      sort: "points",
      numeric: true,
      render: ({ points }) => number(points),
    },
    {
      key: "active",
      title: t("gamification:event.active"),
      sort: "active",
      render: ({ active }) => (active ? t("yes") : t("no")),
    },
    {
      key: "actions",
      title: t("gamification:actions"),
      render: ({ id, name }) => (
        <button type="button" onClick={() => setOpen({ type: "edit", id })}>
          {t("edit")} <span class="unseen">{name}</span>
        </button>
      ),
    },
  ]
  return (
    <Page
      title={t("gamification:events")}
      parent={{ href: "/console/badges", label: t("gamification:badges") }}
      actions={
        <button type="button" class="primary" onClick={() => setOpen({ type: "new" })}>
          {t("gamification:event.new")}
        </button>
      }
    >
      <Listing
        path="/api/gamification-event/tabularlist"
        caption={t("gamification:events")}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
        empty={t("gamification:events.empty")}
        filters={[{ name: "name", label: t("gamification:name") }]}
        actions={(rows, clear) => (
          <>
            <button type="button" class="danger" onClick={() => setOpen({ type: "delete", rules: rows })}>
              {t("delete")}
            </button>
            {open?.type === "delete" && (
              <ConfirmDialog
                title={t("gamification:event.delete")}
                confirm={t("delete")}
                onConfirm={async () => {
                  await remove.mutateAsync(open.rules.map(({ id }) => id))
                  clear()
                }}
                onClose={close}
              >
                <p>{t("gamification:event.delete.text", { names: open.rules.map(({ name }) => name).join(", ") })}</p>
                <p>{t("irreversible")}</p>
              </ConfirmDialog>
            )}
          </>
        )}
      />
      {open?.type === "new" && <NewRule onClose={close} />}
      {open?.type === "edit" && <EditRule id={open.id} onClose={close} />}
    </Page>
  )
}
