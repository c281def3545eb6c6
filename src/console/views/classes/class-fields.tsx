import { useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { dateTime, number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { CheckBox, Choices, Select, TextField, type Values } from "../../ui/form.tsx"
import { Time } from "../../ui/time.tsx"
import { momentAt } from "../../ui/time-zone.ts"

type Class = Schemas["Class"]
type Recurrence = Schemas["Recurrence"]

const WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"] as const
const FREQUENCIES = ["daily", "weekly", "monthly"] as const
/** A Monday, from which the weekdays have their names. */
const MONDAY = Date.UTC(2026, 0, 5)
const DAY = 86_400_000

const dayName = (at: number) => dateTime(new Date(MONDAY + at * DAY), { weekday: "long", timeZone: "UTC" })

const zonesWith = (given: string | undefined) => [
  ...new Set([...(given ? [given] : []), "UTC", ...Intl.supportedValuesOf("timeZone")]),
]

/** As an input has it; seconds stay where there are any. */
const inputTime = (plain: string) => plain.replace(" ", "T").replace(/:00$/, "")
const stepOf = (plain: string | undefined) => (plain && !plain.endsWith(":00") ? { step: 1 } : {})

/** How the records are called that a class names. */
interface ClassNames {
  course: Choice
  instructor: Choice
  location: Choice | undefined
}

interface ClassFieldsProps {
  /** Left out: a new one. */
  given?: { class: Class; names: ClassNames }
}

/** When a class is held that is held once, on its own clocks and on the browser's. */
function Once({ of, timeZone }: { of: Class | undefined; timeZone: string | undefined }) {
  const [start, setStart] = useState(of ? inputTime(of.startTime) : "")
  const moment = timeZone && momentAt(start, timeZone)
  return (
    <>
      <TextField
        name={of ? "startTime" : "starttime"}
        label={t("classes:start")}
        hint={t("classes:time.hint")}
        type="datetime-local"
        required
        defaultValue={start}
        onInput={(event) => setStart(event.currentTarget.value)}
        {...stepOf(of?.startTime)}
      />
      <TextField
        name="endTime"
        label={t("classes:end")}
        type="datetime-local"
        required
        defaultValue={of && !of.recurrence ? inputTime(of.endTime) : ""}
        {...stepOf(of?.endTime)}
      />
      {moment && (
        <p class="quiet" role="status">
          {t("classes:time.local")} <Time value={moment} />
        </p>
      )}
    </>
  )
}

const endOf = (rule: Recurrence | null | undefined) => {
  const end: { date?: string; count?: number } = rule?.end ?? {}
  return { date: end.date, count: end.count }
}

/** How a class recurs, on its own clocks. */
function Recurring({ rule }: { rule: Recurrence | null | undefined }) {
  const end = endOf(rule)
  const [byDate, setByDate] = useState(end.count === undefined)
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
        options={WEEKDAYS.map((value, at) => ({ value, label: dayName(at) }))}
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
        value={byDate ? "date" : "count"}
        options={[
          { value: "date", label: t("classes:ends.date") },
          { value: "count", label: t("classes:ends.count") },
        ]}
        onChange={(value) => setByDate(value === "date")}
      />
      {byDate ? (
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

/** What a class is made of. */
export function ClassFields({ given }: ClassFieldsProps) {
  const of = given?.class
  const [timeZone, setTimeZone] = useState(of?.timeZone)
  const [recurs, setRecurs] = useState(of?.type === "recurring")
  return (
    <>
      <Combobox
        name="courseId"
        label={t("classes:course")}
        path="/api/courses/tabularlist"
        by="courseName"
        pick={({ id, name }) => ({ id, name })}
        value={given?.names.course}
        required
      />
      <Combobox
        name="instructor"
        label={t("classes:instructor")}
        path="/api/users/tabularlist"
        by="nameOrEmail"
        pick={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name} (${email})` })}
        value={given?.names.instructor}
        required
      />
      <Combobox
        name="location"
        label={t("classes:location")}
        hint={t("classes:location.hint")}
        path="/api/location/tabularlist"
        by="name"
        pick={({ id, name, capacity }) => ({
          id,
          name: capacity ? t("classes:seats", { name, count: capacity, shown: number(capacity) }) : name,
        })}
        value={given?.names.location}
      />
      <Select
        name="timeZone"
        label={t("classes:zone")}
        hint={t("classes:zone.hint")}
        value={timeZone}
        {...(of ? {} : { none: t("classes:zone.academy") })}
        options={zonesWith(of?.timeZone).map((zone) => ({ value: zone, label: zone }))}
        onChange={(zone) => setTimeZone(zone || undefined)}
      />
      <Select
        name="type"
        label={t("classes:type")}
        value={recurs ? "recurring" : "onetime"}
        options={[
          { value: "onetime", label: t("classes:type.onetime") },
          { value: "recurring", label: t("classes:type.recurring") },
        ]}
        onChange={(type) => setRecurs(type === "recurring")}
      />
      {recurs ? <Recurring rule={of?.recurrence} /> : <Once of={of} timeZone={timeZone} />}
      <CheckBox name="allowDownload" label={t("classes:downloads")} defaultChecked={of?.allowDownload ?? true} />
      <CheckBox name="disabled" label={t("classes:closed.box")} defaultChecked={of?.disabled ?? false} />
      <TextField
        name="webinarProvider"
        label={t("classes:provider")}
        hint={t("classes:provider.hint")}
        maxLength={50}
        defaultValue={of?.webinarProvider ?? ""}
      />
      <TextField
        name="webinar_meeting_id"
        label={t("classes:meeting")}
        hint={t("classes:meeting.hint")}
        maxLength={200}
        defaultValue={of?.webinar_meeting_id ?? ""}
      />
      <TextField
        name="webinar_host_pwd"
        label={t("classes:host-password")}
        maxLength={200}
        autoComplete="off"
        defaultValue={of?.webinar_host_pwd ?? ""}
      />
    </>
  )
}

const isFrequency = (text: string) => FREQUENCIES.find((one) => one === text) ?? "weekly"

/** How a form says that a class recurs. */
const recurrenceOf = (values: Values): Recurrence => ({
  frequency: isFrequency(values.text("recurrence.frequency")),
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

const isRecurring = (values: Values) => values.form.has("recurrence.frequency")

const common = (values: Values) => ({
  courseId: values.number("courseId") ?? 0,
  instructor: values.number("instructor") ?? 0,
  allowDownload: values.checked("allowDownload"),
  disabled: values.checked("disabled"),
  webinarProvider: values.text("webinarProvider"),
  webinar_meeting_id: values.text("webinar_meeting_id"),
  webinar_host_pwd: values.text("webinar_host_pwd"),
})

/** The body of a class that is to be. */
export function newClassOf(values: Values): Schemas["NewClass"] {
  const [location, timeZone] = [values.number("location"), values.optional("timeZone")]
  return {
    ...common(values),
    ...(location !== undefined && { location }),
    ...(timeZone && { timeZone }),
    ...(isRecurring(values)
      ? { type: "recurring" as const, recurrence: recurrenceOf(values) }
      : { type: "onetime" as const, startTime: values.text("starttime"), endTime: values.text("endTime") }),
  }
}

/** The body of a class's change. Its study material is not in it, and stays. */
export const classChangesOf = (id: number, values: Values): Schemas["ClassChanges"] => ({
  ...common(values),
  id,
  location: values.number("location") ?? null,
  timeZone: values.text("timeZone"),
  ...(isRecurring(values)
    ? { type: "recurring" as const, recurrence: recurrenceOf(values) }
    : { type: "onetime" as const, startTime: values.text("startTime"), endTime: values.text("endTime") }),
})
