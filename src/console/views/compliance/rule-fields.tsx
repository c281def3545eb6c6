import { useState } from "preact/hooks"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { CheckBox, Select, TextField, toOptions } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { AudienceFields } from "./audience-fields.tsx"
import type { Rule, RuleDraft } from "./rule-body.ts"

const ON_LEAVE = ["keep", "remove_if_not_started", "remove"] as const
const DUE = ["none", "date", "days.assignment", "days.field"] as const
const RECURRENCES = ["none", "months", "yearly"] as const
const DEFAULT_DAYS = [30, 7, 1]
/** The year of a yearly date is not used; a leap year has every day. */
const LEAP_YEAR = 2028

const twoDigits = (part: number) => String(part).padStart(2, "0")

function DueFields({ rule }: { rule: Rule | undefined }) {
  const due = rule?.due ?? { type: "days", days: 30, from: "assignment" }
  const [type, setType] = useState<string>(due.type === "days" ? `days.${due.from ?? "assignment"}` : due.type)
  const fields = useRead("/api/users/customUserFields", {}, { enabled: type === "days.field" })
  const dates = (fields.data?.fields ?? []).filter((field) => field.type === "date")
  return (
    <>
      <Select
        name="due"
        label={t("compliance:due")}
        options={DUE.map((value) => ({ value, label: t(`compliance:due.${value.replace(".", "-")}`) }))}
        value={type}
        onChange={setType}
      />
      {type === "date" && (
        <TextField name="date" type="date" label={t("compliance:due.on")} defaultValue={due.date ?? ""} required />
      )}
      {type.startsWith("days") && (
        <TextField
          name="days"
          type="number"
          min={0}
          max={3650}
          label={t("compliance:due.days")}
          defaultValue={due.days ?? 30}
          required
        />
      )}
      {type === "days.field" && (
        <Select
          name="field"
          label={t("compliance:due.field")}
          hint={t("compliance:due.field.hint")}
          options={dates.map(({ userMetaKey, label }) => ({ value: userMetaKey, label }))}
          value={due.field}
          required
        />
      )}
      {type !== "none" && (
        <>
          <TextField
            name="graceDays"
            type="number"
            min={0}
            max={365}
            label={t("compliance:grace")}
            hint={t("compliance:grace.hint")}
            defaultValue={rule?.graceDays ?? 0}
          />
          <CheckBox
            name="skipWeekends"
            label={t("compliance:skip-weekends")}
            defaultChecked={rule?.skipWeekends ?? false}
          />
        </>
      )}
    </>
  )
}

function RecurrenceFields({ rule }: { rule: Rule | undefined }) {
  const recurrence = rule?.recurrence ?? undefined
  const [type, setType] = useState<string>(recurrence?.type ?? "none")
  const { month = 1, day = 1 } = recurrence ?? {}
  return (
    <>
      <Select
        name="recurrence"
        label={t("compliance:recurrence")}
        options={RECURRENCES.map((value) => ({ value, label: t(`compliance:recurrence.${value}`) }))}
        value={type}
        onChange={setType}
      />
      {type === "months" && (
        <TextField
          name="months"
          type="number"
          min={1}
          max={120}
          label={t("compliance:months")}
          defaultValue={recurrence?.months ?? 12}
          required
        />
      )}
      {type === "yearly" && (
        <TextField
          name="yearlyDate"
          type="date"
          label={t("compliance:yearly-date")}
          hint={t("compliance:yearly-date.hint")}
          defaultValue={`${LEAP_YEAR}-${twoDigits(month)}-${twoDigits(day)}`}
          required
        />
      )}
      {type !== "none" && (
        <TextField
          name="opensDaysBefore"
          type="number"
          min={0}
          max={3359}
          label={t("compliance:opens")}
          hint={t("compliance:opens.hint")}
          defaultValue={recurrence?.opensDaysBefore ?? 30}
        />
      )}
    </>
  )
}

interface RuleFieldsProps {
  /** Omit for a new rule. */
  rule?: Rule
  draft: RuleDraft
  onChange: (draft: RuleDraft) => void
}

/** The fields of an assignment rule. */
export function RuleFields({ rule, draft, onChange }: RuleFieldsProps) {
  const me = useMe()
  const { reminders } = rule ?? {}
  return (
    <>
      <TextField name="name" label={t("compliance:name")} defaultValue={rule?.name ?? ""} required maxLength={255} />
      {!rule && !hasAccess(me, "staff") && (
        <Select name="groupId" label={t("compliance:group")} required options={toOptions(me.scope.groups)} />
      )}
      <Picker
        name="courseIds"
        label={t("compliance:courses")}
        path="/api/courses/tabularlist"
        query={(courseName) => (courseName ? { search_param: { courseName } } : {})}
        toChoice={({ id, name }) => ({ id, name })}
        selected={draft.courses}
        onSelect={(courses) => onChange({ ...draft, courses })}
      />
      <Picker
        name="learningPathIds"
        label={t("compliance:learning-paths")}
        path="/api/learningpath/tabularlist"
        query={(name) => (name ? { search_param: { name } } : {})}
        toChoice={({ id, name }) => ({ id, name })}
        selected={draft.learningPaths}
        onSelect={(learningPaths) => onChange({ ...draft, learningPaths })}
      />
      {draft.audience ? (
        <AudienceFields audience={draft.audience} onChange={(audience) => onChange({ ...draft, audience })} />
      ) : (
        <p class="notice">{t("compliance:audience.complex")}</p>
      )}
      <DueFields rule={rule} />
      <RecurrenceFields rule={rule} />
      <TextField
        name="daysBefore"
        label={t("compliance:remind-before")}
        hint={t("compliance:remind-before.hint")}
        defaultValue={(reminders?.daysBefore ?? DEFAULT_DAYS).join(", ")}
        pattern="[0-9,\s]*"
      />
      <TextField
        name="overdueEveryDays"
        type="number"
        min={0}
        max={90}
        label={t("compliance:remind-overdue")}
        hint={t("compliance:remind-overdue.hint")}
        defaultValue={reminders?.overdueEveryDays ?? 7}
      />
      <CheckBox
        name="copySupervisors"
        label={t("compliance:copy-supervisors")}
        defaultChecked={reminders?.copySupervisors ?? false}
      />
      <Select
        name="onLeave"
        label={t("compliance:on-leave")}
        options={ON_LEAVE.map((value) => ({ value, label: t(`compliance:on-leave.${value}`) }))}
        value={rule?.onLeave ?? "keep"}
      />
      <CheckBox name="active" label={t("compliance:active")} defaultChecked={rule?.active ?? true} />
    </>
  )
}
