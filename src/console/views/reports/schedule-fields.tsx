import { useState } from "preact/hooks"
import { useMe } from "../../api/me.tsx"
import { useRead, useReads } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { Select, TextField } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { FORMATS, hourText, REPORTS, readFilter, type Schedule, weekday } from "./schedule-body.ts"

const DAYS_OF_WEEK = [1, 2, 3, 4, 5, 6, 7]
const DAYS_OF_MONTH = Array.from({ length: 31 }, (_, index) => index + 1)
const HOURS = Array.from({ length: 24 }, (_, hour) => hour)
/** Only staff and supervisors receive reports. */
const NOT_LEARNERS = JSON.stringify({ not: { role: ["general"] } })

/** When the report is sent, in the time zone of the schedule's owner. */
function TimeFields({ schedule }: { schedule: Schedule | undefined }) {
  const me = useMe()
  const [interval, selectInterval] = useState<string>(schedule?.interval ?? "weekly")
  const isOwn = !schedule || schedule.ownerId === me.id
  const days =
    interval === "weekly"
      ? DAYS_OF_WEEK.map((value) => ({ value, label: weekday(value) }))
      : DAYS_OF_MONTH.map((value) => ({ value, label: number(value) }))
  return (
    <>
      <Select
        name="interval"
        label={t("reports:schedule.interval")}
        options={(["weekly", "monthly"] as const).map((value) => ({ value, label: t(`reports:schedule.${value}`) }))}
        value={interval}
        onChange={selectInterval}
      />
      <Select
        key={interval}
        name="day"
        label={t("reports:schedule.day")}
        {...(interval === "monthly" && { hint: t("reports:schedule.day.hint") })}
        options={days}
        value={schedule?.interval === interval ? schedule.day : 1}
      />
      <Select
        name="hour"
        label={t("reports:schedule.time")}
        hint={
          isOwn
            ? t("reports:schedule.zone", { zone: me.timeZone ?? me.academyTimeZone })
            : t("reports:schedule.zone.owner")
        }
        options={HOURS.map((value) => ({ value, label: hourText(value) }))}
        value={schedule?.hour ?? 7}
      />
    </>
  )
}

/** Records by id, with the names that have loaded: the form can be sent before. */
const toChoices = (ids: readonly number[], names: readonly string[] | undefined): Choice[] =>
  ids.map((id, index) => ({ id, name: names?.[index] ?? `#${id}` }))

/** The selection of a picker, which begins with stored ids. */
function useSelection(ids: readonly number[], names: readonly string[] | undefined) {
  const [selected, select] = useState<readonly Choice[]>()
  return { selected: selected ?? toChoices(ids, names), onSelect: select }
}

/** The matrix has several courses, other reports one or all. */
function CourseField({ report, ids }: { report: string; ids: readonly number[] }) {
  const found = useReads(
    "/api/course/{id}",
    ids.map((id) => ({ params: { path: { id } } })),
  )
  const names = found.data?.map(({ name }) => name)
  const selection = useSelection(ids, names)
  if (report === "due_summary") return null
  if (report === "compliance_matrix")
    return (
      <Picker
        name="courseIds"
        label={t("reports:schedule.courses")}
        path="/api/courses/tabularlist"
        query={(courseName) => (courseName ? { search_param: { courseName } } : {})}
        toChoice={({ id, name }) => ({ id, name })}
        {...selection}
      />
    )
  return (
    <Combobox
      name="courseId"
      label={t("reports:course")}
      hint={t("reports:schedule.course.hint")}
      path="/api/courses/tabularlist"
      searchBy="courseName"
      toChoice={({ id, name }) => ({ id, name })}
      value={toChoices(ids, names)[0]}
    />
  )
}

function GroupField({ id }: { id: number | undefined }) {
  const group = useRead("/api/group/{id}", { params: { path: { id: id ?? 0 } } }, { enabled: id !== undefined })
  return (
    <Combobox
      name="groupId"
      label={t("reports:schedule.group")}
      hint={t("reports:schedule.group.hint")}
      path="/api/group/tabularlist"
      searchBy="name"
      toChoice={({ id: groupId, name }) => ({ id: groupId, name })}
      value={id === undefined ? undefined : { id, name: group.data?.name ?? `#${id}` }}
    />
  )
}

function RecipientsField({ ids }: { ids: readonly number[] }) {
  const found = useReads(
    "/api/user/{id}",
    ids.map((id) => ({ params: { path: { id } } })),
  )
  const selection = useSelection(
    ids,
    found.data?.map(({ firstName, lastName }) => `${firstName} ${lastName}`),
  )
  return (
    <Picker
      name="recipientIds"
      label={t("reports:schedule.recipients")}
      path="/api/users/tabularlist"
      query={(nameOrEmail) => ({ search_param: { audience: NOT_LEARNERS, ...(nameOrEmail && { nameOrEmail }) } })}
      toChoice={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name} (${email})` })}
      {...selection}
    />
  )
}

/** The fields of a scheduled report, whose kind cannot change later. */
export function ScheduleFields({ schedule }: { schedule: Schedule | undefined }) {
  const [report, setReport] = useState<string>(schedule?.report ?? "overdue")
  const { groupId, format, courseIds } = readFilter(schedule)
  const reports = schedule ? [schedule.report] : REPORTS
  const formats = FORMATS.filter((value) => value !== "pdf" || report === "compliance_matrix")
  return (
    <>
      <TextField
        name="name"
        label={t("name")}
        hint={t("reports:schedule.name.hint")}
        defaultValue={schedule?.name ?? ""}
        required
        maxLength={100}
      />
      <Select
        name="report"
        label={t("reports:schedule.report")}
        options={reports.map((value) => ({ value, label: t(`reports:schedule.report.${value}`) }))}
        value={report}
        onChange={setReport}
      />
      <TimeFields schedule={schedule} />
      <GroupField id={groupId} />
      <CourseField key={report} report={report} ids={courseIds} />
      <Select
        name="format"
        label={t("reports:schedule.format")}
        options={formats.map((value) => ({ value, label: t(`reports:schedule.format.${value}`) }))}
        value={format}
      />
      <RecipientsField ids={schedule?.recipientIds ?? []} />
      <p class="quiet">{t("reports:schedule.recipients.about")}</p>
      <input type="hidden" name="storedFilter" value={JSON.stringify(schedule?.filter ?? {})} />
    </>
  )
}
