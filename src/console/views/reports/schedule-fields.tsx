import { useState } from "preact/hooks"
import { useMe } from "../../api/me.tsx"
import { useRead, useReads } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Select, TextField } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { FORMATS, hourText, REPORTS, type Report, readFilter, type Schedule, weekday } from "./schedule-body.ts"

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

interface ChoicesProps {
  selected: readonly Choice[]
}

function Courses({ selected }: ChoicesProps) {
  const [courses, setCourses] = useState(selected)
  return (
    <Picker
      name="courseIds"
      label={t("reports:schedule.courses")}
      path="/api/courses/tabularlist"
      query={(courseName) => (courseName ? { search_param: { courseName } } : {})}
      toChoice={({ id, name }) => ({ id, name })}
      selected={courses}
      onSelect={setCourses}
    />
  )
}

/** The matrix has several courses, other reports one or all. */
function CourseField({ report, ids }: { report: Report; ids: readonly number[] }) {
  const courses = useReads(
    "/api/course/{id}",
    ids.map((id) => ({ params: { path: { id } } })),
  )
  if (report === "due_summary") return null
  return (
    <Loaded query={courses}>
      {(found) => {
        const choices = found.map(({ name }, index) => ({ id: ids[index] ?? 0, name }))
        return report === "compliance_matrix" ? (
          <Courses selected={choices} />
        ) : (
          <Combobox
            name="courseId"
            label={t("reports:course")}
            hint={t("reports:schedule.course.hint")}
            path="/api/courses/tabularlist"
            searchBy="courseName"
            toChoice={({ id, name }) => ({ id, name })}
            value={choices[0]}
          />
        )
      }}
    </Loaded>
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

function Recipients({ selected }: ChoicesProps) {
  const [users, setUsers] = useState(selected)
  return (
    <Picker
      name="recipientIds"
      label={t("reports:schedule.recipients")}
      path="/api/users/tabularlist"
      query={(nameOrEmail) => ({ search_param: { audience: NOT_LEARNERS, ...(nameOrEmail && { nameOrEmail }) } })}
      toChoice={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name} (${email})` })}
      selected={users}
      onSelect={setUsers}
    />
  )
}

function RecipientsField({ ids }: { ids: readonly number[] }) {
  const users = useReads(
    "/api/user/{id}",
    ids.map((id) => ({ params: { path: { id } } })),
  )
  return (
    <Loaded query={users}>
      {(found) => (
        <Recipients
          selected={found.map(({ firstName, lastName }, index) => ({
            id: ids[index] ?? 0,
            name: `${firstName} ${lastName}`,
          }))}
        />
      )}
    </Loaded>
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
      <CourseField key={report} report={report as Report} ids={courseIds} />
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
