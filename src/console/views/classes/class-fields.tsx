import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { dateTime, number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { ExternalIdField } from "../../ui/external-id-field.tsx"
import { CheckBox, Choices, Select, TextField, type Values } from "../../ui/form.tsx"
import { Time } from "../../ui/time.tsx"
import { wallTimeToIso } from "../../ui/time-zone.ts"

type Class = Schemas["Class"]
type Recurrence = Schemas["Recurrence"]

const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const
const FREQUENCIES = ["daily", "weekly", "monthly"] as const
/** Any Monday, to format weekday names. */
const MONDAY = Date.UTC(2026, 0, 5)
const DAY_MS = 86_400_000

const dayName = (index: number) => dateTime(new Date(MONDAY + index * DAY_MS), { weekday: "long", timeZone: "UTC" })

const timeZoneOptions = (current: string | undefined) => [
  ...new Set([...(current ? [current] : []), "UTC", ...Intl.supportedValuesOf("timeZone")]),
]

/** For a `datetime-local` input. Keeps seconds other than 00. */
const toInputTime = (sqlTime: string) => sqlTime.replace(" ", "T").replace(/:00$/, "")
const stepProps = (sqlTime: string | undefined) => (sqlTime && !sqlTime.endsWith(":00") ? { step: 1 } : {})

/** Names of the records that a class refers to. */
interface ClassNames {
  course: Choice
  instructor: Choice
  location: Choice | undefined
}

interface ClassFieldsProps {
  /** Omit for a new class. */
  initial?: { class: Class; names: ClassNames }
}

/** Start and end of a one-time class. */
function OneTimeFields({ existing, timeZone }: { existing: Class | undefined; timeZone: string | undefined }) {
  const [typedStart, setStart] = useState<string>()
  const start = typedStart ?? (existing ? toInputTime(existing.startTime) : "")
  const localStart = timeZone && wallTimeToIso(start, timeZone)
  return (
    <>
      <TextField
        name={existing ? "startTime" : "starttime"}
        label={t("classes:start")}
        hint={t("classes:time.hint")}
        type="datetime-local"
        required
        defaultValue={start}
        onInput={(event) => setStart(event.currentTarget.value)}
        {...stepProps(existing?.startTime)}
      />
      <TextField
        name="endTime"
        label={t("classes:end")}
        type="datetime-local"
        required
        defaultValue={existing && !existing.recurrence ? toInputTime(existing.endTime) : ""}
        {...stepProps(existing?.endTime)}
      />
      {localStart && (
        <p class="quiet" role="status">
          {t("classes:time.local")} <Time value={localStart} />
        </p>
      )}
    </>
  )
}

const endOf = (rule: Recurrence | null | undefined) => {
  const end: { date?: string; count?: number } = rule?.end ?? {}
  return { date: end.date, count: end.count }
}

/** The recurrence rule of a class. */
function RecurrenceFields({ rule }: { rule: Recurrence | null | undefined }) {
  const end = endOf(rule)
  const [selectedEnd, setEndsOnDate] = useState<boolean>()
  const endsOnDate = selectedEnd ?? end.count === undefined
  return (
    <>
      <Select
        name="recurrence.frequency"
        label={t("classes:frequency")}
        value={rule?.frequency ?? "weekly"}
        options={FREQUENCIES.map((value) => ({ value, label: t(`classes:frequency.${value}`) }))}
      />
      <TextField
        name="recurrence.interval"
        label={t("classes:interval")}
        hint={t("classes:interval.hint")}
        type="number"
        min={1}
        max={366}
        required
        defaultValue={rule?.interval ?? 1}
      />
      <Choices
        name="recurrence.classDays"
        label={t("classes:days")}
        hint={t("classes:days.hint")}
        options={WEEKDAYS.map((value, index) => ({ value, label: dayName(index) }))}
        values={rule?.classDays ?? []}
      />
      <TextField
        name="recurrence.startDate"
        label={t("classes:start-date")}
        type="date"
        required
        defaultValue={rule?.startDate ?? ""}
      />
      <TextField
        name="recurrence.startTime"
        label={t("classes:start-time")}
        hint={t("classes:time.hint")}
        type="time"
        required
        defaultValue={rule?.startTime ?? ""}
      />
      <TextField
        name="recurrence.endTime"
        label={t("classes:end-time")}
        hint={t("classes:end-time.hint")}
        type="time"
        required
        defaultValue={rule?.endTime ?? ""}
      />
      <Select
        name="ends"
        label={t("classes:ends")}
        value={endsOnDate ? "date" : "count"}
        options={[
          { value: "date", label: t("classes:ends.date") },
          { value: "count", label: t("classes:ends.count") },
        ]}
        onChange={(value) => setEndsOnDate(value === "date")}
      />
      {endsOnDate ? (
        <TextField
          name="recurrence.end"
          label={t("classes:end-date")}
          type="date"
          required
          defaultValue={end.date ?? ""}
        />
      ) : (
        <TextField
          name="recurrence.end"
          label={t("classes:sessions")}
          type="number"
          min={1}
          max={500}
          required
          defaultValue={end.count ?? ""}
        />
      )}
    </>
  )
}

export function ClassFields({ initial }: ClassFieldsProps) {
  const existing = initial?.class
  const [selectedZone, setTimeZone] = useState<string>()
  const [selectedType, setType] = useState<string>()
  const timeZone = selectedZone ?? existing?.timeZone
  const isRecurring = (selectedType ?? existing?.type) === "recurring"
  return (
    <>
      <Combobox
        name="courseId"
        label={t("classes:course")}
        path="/api/courses/tabularlist"
        searchBy="courseName"
        toChoice={({ id, name }) => ({ id, name })}
        value={initial?.names.course}
        required
      />
      <Combobox
        name="instructor"
        label={t("classes:instructor")}
        path="/api/users/tabularlist"
        searchBy="nameOrEmail"
        toChoice={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name} (${email})` })}
        value={initial?.names.instructor}
        required
      />
      <Combobox
        name="location"
        label={t("classes:location")}
        hint={t("classes:location.hint")}
        path="/api/location/tabularlist"
        searchBy="name"
        toChoice={({ id, name, capacity }) => ({
          id,
          name: capacity ? t("classes:seats", { name, count: capacity, shown: number(capacity) }) : name,
        })}
        value={initial?.names.location}
      />
      <Select
        name="timeZone"
        label={t("classes:zone")}
        hint={t("classes:zone.hint")}
        value={timeZone}
        {...(existing ? {} : { none: t("classes:zone.academy") })}
        options={timeZoneOptions(existing?.timeZone).map((zone) => ({ value: zone, label: zone }))}
        onChange={(zone) => setTimeZone(zone || undefined)}
      />
      <Select
        name="type"
        label={t("classes:type")}
        value={isRecurring ? "recurring" : "onetime"}
        options={[
          { value: "onetime", label: t("classes:type.onetime") },
          { value: "recurring", label: t("classes:type.recurring") },
        ]}
        onChange={setType}
      />
      {isRecurring ? (
        <RecurrenceFields rule={existing?.recurrence} />
      ) : (
        <OneTimeFields existing={existing} timeZone={timeZone} />
      )}
      <ExternalIdField record={existing} />
      <CheckBox name="allowDownload" label={t("classes:downloads")} defaultChecked={existing?.allowDownload ?? true} />
      <CheckBox name="disabled" label={t("classes:closed.box")} defaultChecked={existing?.disabled ?? false} />
      <TextField
        name="webinarProvider"
        label={t("classes:provider")}
        hint={t("classes:provider.hint")}
        maxLength={50}
        defaultValue={existing?.webinarProvider ?? ""}
      />
      <TextField
        name="webinar_meeting_id"
        label={t("classes:meeting")}
        hint={t("classes:meeting.hint")}
        maxLength={200}
        defaultValue={existing?.webinar_meeting_id ?? ""}
      />
      <TextField
        name="webinar_host_pwd"
        label={t("classes:host-password")}
        maxLength={200}
        autoComplete="off"
        defaultValue={existing?.webinar_host_pwd ?? ""}
      />
    </>
  )
}

const toFrequency = (text: string) => FREQUENCIES.find((frequency) => frequency === text) ?? "weekly"

const toRecurrence = (values: Values): Recurrence => ({
  frequency: toFrequency(values.text("recurrence.frequency")),
  interval: values.number("recurrence.interval") ?? 1,
  classDays: WEEKDAYS.filter((day) => values.all("recurrence.classDays").includes(day)),
  startDate: values.text("recurrence.startDate"),
  startTime: values.text("recurrence.startTime"),
  endTime: values.text("recurrence.endTime"),
  end:
    values.text("ends") === "count"
      ? { count: values.number("recurrence.end") ?? 1 }
      : { date: values.text("recurrence.end") },
})

const hasRecurrence = (values: Values) => values.form.has("recurrence.frequency")

const toSharedFields = (values: Values) => ({
  courseId: values.number("courseId") ?? 0,
  instructor: values.number("instructor") ?? 0,
  externalId: values.text("externalId"),
  allowDownload: values.checked("allowDownload"),
  disabled: values.checked("disabled"),
  webinarProvider: values.text("webinarProvider"),
  webinar_meeting_id: values.text("webinar_meeting_id"),
  webinar_host_pwd: values.text("webinar_host_pwd"),
})

/** The request body of a new class. */
export function toNewClass(values: Values): Schemas["NewClass"] {
  const [location, timeZone] = [values.number("location"), values.optional("timeZone")]
  return {
    ...toSharedFields(values),
    ...(location !== undefined && { location }),
    ...(timeZone && { timeZone }),
    ...(hasRecurrence(values)
      ? { type: "recurring" as const, recurrence: toRecurrence(values) }
      : { type: "onetime" as const, startTime: values.text("starttime"), endTime: values.text("endTime") }),
  }
}

/** The request body to change a class, without its study material. */
export const toClassChanges = (id: number, values: Values): Schemas["ClassChanges"] => ({
  ...toSharedFields(values),
  id,
  location: values.number("location") ?? null,
  timeZone: values.text("timeZone"),
  ...(hasRecurrence(values)
    ? { type: "recurring" as const, recurrence: toRecurrence(values) }
    : { type: "onetime" as const, startTime: values.text("startTime"), endTime: values.text("endTime") }),
})
