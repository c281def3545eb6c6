import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { may, useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { percent, t } from "../../messages/messages.ts"
import { Confirm } from "../../ui/dialog.tsx"
import { type Filter, Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { STATUSES, statusOf } from "./statuses.ts"
import type { User } from "./user-fields.tsx"
import { PEOPLE, useUnenroll } from "./user-mutations.ts"

type Enrollment = RecordOf<"/api/users/enrolled-courses">
type PathEnrollment = RecordOf<"/api/users/enrolled-learningpaths">

const dates = <Row extends Pick<Enrollment, "registered_on" | "started_on" | "completed_on">>(): Column<Row>[] => [
  {
    key: "registered",
    title: t("users:enrolled-on"),
    sort: "registered_on",
    render: ({ registered_on }) => <Time value={registered_on} />,
  },
  {
    key: "started",
    title: t("users:started"),
    sort: "started_on",
    render: ({ started_on }) => <Time value={started_on} />,
  },
  {
    key: "completed",
    title: t("status.completed"),
    sort: "completed_on",
    render: ({ completed_on }) => <Time value={completed_on} />,
  },
]

const progress = <Row extends Pick<Enrollment, "status" | "percentComplete">>(): Column<Row>[] => [
  { key: "status", title: t("users:status"), sort: "status", render: ({ status }) => statusOf(status) },
  {
    key: "percent",
    title: t("users:progress"),
    sort: "percentComplete",
    numeric: true,
    render: ({ percentComplete }) => percent(percentComplete / 100),
  },
]

const courseColumns = (): Column<Enrollment>[] => [
  {
    key: "course",
    title: t("users:course"),
    sort: "courseName",
    render: ({ courseName, courseStatus, isExpired }) => (
      <>
        {courseName} {courseStatus === "draft" && <span class="badge">{t("users:draft")}</span>}{" "}
        {isExpired && <span class="badge">{t("users:expired")}</span>}
      </>
    ),
  },
  ...progress<Enrollment>(),
  ...dates<Enrollment>(),
  {
    key: "expires",
    title: t("users:expires"),
    sort: "expire_on",
    render: ({ expire_on }) => <Time value={expire_on} />,
  },
  {
    key: "accessed",
    title: t("users:last-accessed"),
    sort: "lastAccessed",
    render: ({ lastAccessed }) => <Time value={lastAccessed} none={lastAccessed} />,
  },
]

const pathColumns = (): Column<PathEnrollment>[] => [
  {
    key: "path",
    title: t("users:path"),
    sort: "learningPathName",
    render: ({ learningPathName }) => learningPathName,
  },
  ...progress<PathEnrollment>(),
  ...dates<PathEnrollment>(),
]

const statusFilter = (): Filter => ({
  name: "status",
  label: t("users:status"),
  options: STATUSES.map((value) => ({ value, label: statusOf(value) })),
  toApi: (value) => [value],
})

/** Their registrations, with what staff does with them. */
export function UserEnrollments({ user }: { user: User }) {
  const isStaff = may(useMe(), "staff")
  const [asked, ask] = useState<{ act: "unenroll" | "reset"; rows: readonly Enrollment[]; clear: () => void }>()
  const unenroll = useUnenroll()
  const reset = useChange({
    call: (registration_ids: number[]) => api.POST("/api/course/reset", { body: { registration_ids } }),
    changes: PEOPLE,
  })
  const rows = asked?.rows ?? []
  const gaps = { count: rows.length, shown: rows.length }
  return (
    <>
      <h2>{t("users:courses")}</h2>
      <Listing
        path="/api/users/enrolled-courses"
        caption={t("users:courses")}
        columns={courseColumns()}
        keyOf={({ id }) => id}
        nameOf={({ courseName }) => courseName}
        query={{ user_id: user.id }}
        filters={[{ name: "nameOrEmail", label: t("users:course") }, statusFilter()]}
        {...(isStaff && {
          actions: (chosen: readonly Enrollment[], clear: () => void) => (
            <>
              <button type="button" onClick={() => ask({ act: "reset", rows: chosen, clear })}>
                {t("users:reset")}
              </button>
              <button type="button" class="danger" onClick={() => ask({ act: "unenroll", rows: chosen, clear })}>
                {t("users:unenroll")}
              </button>
            </>
          ),
        })}
      />
      <h2>{t("users:paths")}</h2>
      <Listing
        path="/api/users/enrolled-learningpaths"
        caption={t("users:paths")}
        columns={pathColumns()}
        keyOf={({ id }) => id}
        query={{ user_id: user.id }}
        prefix="paths."
        size={10}
      />
      {asked?.act === "unenroll" && (
        <Confirm
          title={t("users:unenroll.title", gaps)}
          confirm={t("users:unenroll")}
          onClose={() => ask(undefined)}
          onConfirm={async () => {
            await unenroll.mutateAsync({ user_ids: [user.id], course_ids: rows.map(({ courseId }) => courseId) })
            asked.clear()
          }}
        >
          <p>{t("users:unenroll.text")}</p>
          <p>{t("irreversible")}</p>
        </Confirm>
      )}
      {asked?.act === "reset" && (
        <Confirm
          title={t("users:reset.title", gaps)}
          confirm={t("users:reset")}
          onClose={() => ask(undefined)}
          onConfirm={async () => {
            await reset.mutateAsync(rows.map(({ id }) => id))
            asked.clear()
          }}
        >
          <p>{t("users:reset.text")}</p>
          <p>{t("irreversible")}</p>
        </Confirm>
      )}
    </>
  )
}
