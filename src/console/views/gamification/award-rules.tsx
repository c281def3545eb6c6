import { Zap } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { CheckBox, Select, TextField, type Values } from "../../ui/form.tsx"
import { RecordsPage } from "../../ui/records-page.tsx"
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
      <TextField name="name" label={t("name")} defaultValue={rule?.name ?? ""} required maxLength={100} />
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

/** Rules that award points and badges automatically: the gamification events of the API. */
export default function AwardRules() {
  return (
    <RecordsPage
      kind={{
        list: "/api/gamification-event/tabularlist",
        record: "/api/gamification-event/{id}",
        nameOf: ({ name }) => name,
        fields: (rule) => <RuleFields {...(rule && { rule })} />,
        toBody: toRuleBody,
        create: (body) => api.POST("/api/gamification-event/create", { body }),
        change: (id, body, headers) =>
          api.PUT("/api/gamification-event/{id}", { params: { path: { id } }, body, headers }),
        remove: (delete_ids) => api.POST("/api/gamification-event/delete", { body: { delete_ids } }),
        invalidates: ["/api/gamification-event"],
      }}
      icon={Zap}
      texts={{
        title: t("gamification:events"),
        new: t("gamification:event.new"),
        edit: t("gamification:event.edit"),
        delete: t("gamification:event.delete"),
        deleteHint: t("gamification:event.delete.hint"),
        empty: t("gamification:events.empty"),
      }}
      canChange
      parent={{ href: "/console/badges", label: t("gamification:badges") }}
      filters={[{ name: "name", label: t("name") }]}
      columns={[
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
      ]}
    />
  )
}
