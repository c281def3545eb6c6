import { Presentation } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { dateTime, number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Combobox } from "../../ui/combobox.tsx"
import { type Filter, Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { WallTime } from "../../ui/wall-time.tsx"
import { dayText } from "./day.ts"

type UserRow = RecordOf<"/api/user/class/reports">
type ClassRow = RecordOf<"/api/class/reports/class-detailed">
type Status = UserRow["status"]

const STATUSES: readonly Status[] = ["Registered", "Attended", "No Show", "Cancelled"]
const labelOf = (status: Status) =>
  ({
    Registered: t("reports:registered"),
    Attended: t("reports:attended"),
    "No Show": t("reports:no-show"),
    Cancelled: t("reports:canceled"),
  })[status]

const statusFilter = (): Filter => ({
  name: "status",
  label: t("reports:status"),
  options: STATUSES.map((value) => ({ value, label: labelOf(value) })),
  toApi: (status) => [status],
})

const status = <Row extends Pick<UserRow, "status" | "certificate_issued">>(): Column<Row>[] => [
  {
    key: "status",
    title: t("reports:status"),
    render: (row) => <Badge status={row.status}>{labelOf(row.status)}</Badge>,
  },
  {
    key: "certificate",
    title: t("reports:certificate"),
    render: ({ certificate_issued }) =>
      certificate_issued ? <Badge status="completed">{t("reports:issued")}</Badge> : t("none"),
  },
]

const registered = <Row extends Pick<UserRow, "registeredAt" | "lastAccessedAt">>(): Column<Row>[] => [
  { key: "registered", title: t("reports:registered-on"), render: (row) => dayText(row.registeredAt) },
  { key: "accessed", title: t("reports:last-accessed"), render: (row) => dayText(row.lastAccessedAt) },
]

const userColumns = (): Column<UserRow>[] => [
  {
    key: "name",
    title: t("reports:learner"),
    sort: "name",
    render: ({ user_id, name }) => <a href={`/console/users/${user_id}?tab=classes`}>{name}</a>,
  },
  { key: "course", title: t("reports:class"), sort: "courseName", render: ({ courseName }) => courseName },
  {
    key: "start",
    title: t("reports:start"),
    sort: "start_time",
    render: ({ start_time, timeZone }) => <WallTime value={start_time} zone={timeZone} />,
  },
  ...status<UserRow>(),
  ...registered<UserRow>(),
]

const classColumns = (): Column<ClassRow>[] => [
  {
    key: "name",
    title: t("reports:learner"),
    sort: "first_name",
    render: ({ user_id, first_name, last_name }) => (
      <a href={`/console/users/${user_id}?tab=classes`}>{`${first_name} ${last_name}`}</a>
    ),
  },
  { key: "email", title: t("reports:email"), sort: "email", render: ({ email }) => email },
  ...status<ClassRow>(),
  ...registered<ClassRow>(),
  { key: "notes", title: t("reports:notes"), render: ({ notes }) => notes || t("none") },
]

interface Totals {
  totalRegistered: number
  totalAttended: number
  totalCancelled: number
}

const Summary = ({ totals, noShow }: { totals: Totals; noShow: number }) => (
  <p class="quiet">
    {t("reports:classes.totals", {
      registered: number(totals.totalRegistered),
      attended: number(totals.totalAttended),
      noShow: number(noShow),
      canceled: number(totals.totalCancelled),
    })}
  </p>
)

/** Selects a class, which the URL stores. */
function ClassFilter({ classId }: { classId: number | undefined }) {
  const { change } = useUrlState()
  const selected = useRead(
    "/api/class/get-class-schedules",
    { params: { query: { classId: classId ?? 0, page_size: 1 } } },
    { enabled: classId !== undefined },
  )
  const first = selected.data?.classes[0]
  const nameOf = (course: string, start: string) => `${course}, ${dateTime(new Date(start))}`
  return (
    <Combobox
      name="class"
      label={t("reports:class")}
      path="/api/class/tabularlist"
      searchBy="courseName"
      toChoice={({ id, course_name, startsAt }) => ({ id, name: nameOf(course_name, startsAt) })}
      value={
        classId !== undefined && first ? { id: classId, name: nameOf(first.course_name, first.start_time) } : undefined
      }
      onSelect={(choice) => change({ class: choice?.id, page: undefined, sort: undefined }, { replace: true })}
    />
  )
}

/** Every registration for classes, or those of one class with their notes. */
export default function ClassReport() {
  const me = useMe()
  const { query } = useUrlState()
  const classId = Number(query.class) || undefined
  const ownFilters = { names: ["class"], fields: <ClassFilter classId={classId} /> }
  const empty = {
    icon: Presentation,
    text: t("reports:classes.empty"),
    ...(hasAccess(me, "staff") && { action: { label: t("nav.classes"), href: "/classes" } }),
  }
  return (
    <Page title={t("nav.report-classes")}>
      {classId === undefined ? (
        <Listing
          path="/api/user/class/reports"
          caption={t("nav.report-classes")}
          columns={userColumns()}
          keyOf={({ id }) => id}
          ownFilters={ownFilters}
          filters={[{ name: "course", label: t("reports:course") }, statusFilter()]}
          empty={empty}
        >
          {(totals) => <Summary totals={totals} noShow={totals.totalNoshow} />}
        </Listing>
      ) : (
        <Listing
          path="/api/class/reports/class-detailed"
          caption={t("nav.report-classes")}
          columns={classColumns()}
          query={{ class_id: classId }}
          keyOf={({ id }) => id}
          ownFilters={ownFilters}
          filters={[{ name: "nameOrEmail", label: t("reports:search") }, statusFilter()]}
          empty={empty}
        >
          {(totals) => <Summary totals={totals} noShow={totals.totalNoShow} />}
        </Listing>
      )}
    </Page>
  )
}
