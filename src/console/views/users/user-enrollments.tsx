import { GraduationCap } from "lucide-preact"
import { useState } from "preact/hooks"
import { lazy } from "preact-iso"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { loadWithMessages, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { type Filter, Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time, TimeAgo } from "../../ui/time.tsx"
import { dateColumns, progressColumns } from "./enrollment-columns.tsx"
import { ENROLLMENT_STATUSES, statusLabel } from "./statuses.ts"
import type { User } from "./user-fields.tsx"
import { USER_QUERIES, useUnenroll } from "./user-mutations.ts"
import { UserPaths } from "./user-paths.tsx"

/** Loaded when it opens, with its messages. */
const DueActionDialog = lazy(async () => {
  const { DueActionDialog } = await loadWithMessages("compliance", import("../compliance/due-actions.tsx"))
  return DueActionDialog
})

type Enrollment = RecordOf<"/api/users/enrolled-courses">

const courseColumns = (userId: number): Column<Enrollment>[] => [
  {
    key: "course",
    title: t("users:course"),
    sort: "courseName",
    render: ({ courseId, courseName, courseStatus, isExpired }) => (
      <>
        <a href={`/console/users/${userId}/courses/${courseId}`}>{courseName}</a>{" "}
        {courseStatus === "draft" && <Badge>{t("users:draft")}</Badge>}{" "}
        {isExpired && <Badge status="expired">{t("users:expired")}</Badge>}
      </>
    ),
  },
  ...progressColumns<Enrollment>(),
  ...dateColumns<Enrollment>(),
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
    render: ({ lastAccessedAt }) => <TimeAgo value={lastAccessedAt} />,
  },
]

const statusFilter = (): Filter => ({
  name: "status",
  label: t("users:status"),
  options: ENROLLMENT_STATUSES.map((value) => ({ value, label: statusLabel(value) })),
  toApi: (value) => [value],
})

/** Course and learning path enrollments of a user; staff can reset or remove them. */
export function UserEnrollments({ user }: { user: User }) {
  const isStaff = hasAccess(useMe(), "staff")
  const [pendingAction, setPendingAction] = useState<{
    action: "unenroll" | "reset" | "due-date"
    rows: readonly Enrollment[]
    clear: () => void
  }>()
  const unenroll = useUnenroll()
  const reset = useChange({
    call: (registration_ids: number[]) => api.POST("/api/course/reset", { body: { registration_ids } }),
    invalidates: USER_QUERIES,
  })
  const rows = pendingAction?.rows ?? []
  const messageParams = { count: rows.length, shown: rows.length }
  return (
    <>
      <h2>{t("users:courses")}</h2>
      <Listing
        path="/api/users/enrolled-courses"
        caption={t("users:courses")}
        columns={courseColumns(user.id)}
        keyOf={({ id }) => id}
        nameOf={({ courseName }) => courseName}
        empty={{
          icon: GraduationCap,
          text: t("users:enrollments.none"),
          action: { label: t("nav.enrollments"), href: "/enrollments" },
        }}
        query={{ user_id: user.id }}
        filters={[{ name: "nameOrEmail", label: t("users:course") }, statusFilter()]}
        {...(isStaff && {
          actions: (selected: readonly Enrollment[], clear: () => void) => (
            <>
              <button type="button" onClick={() => setPendingAction({ action: "due-date", rows: selected, clear })}>
                {t("users:due-date")}
              </button>
              <button type="button" onClick={() => setPendingAction({ action: "reset", rows: selected, clear })}>
                {t("users:reset")}
              </button>
              <button
                type="button"
                class="danger"
                onClick={() => setPendingAction({ action: "unenroll", rows: selected, clear })}
              >
                {t("users:unenroll")}
              </button>
            </>
          ),
        })}
      />
      <UserPaths user={user} />
      {pendingAction?.action === "unenroll" && (
        <ConfirmDialog
          title={t("users:unenroll.title", messageParams)}
          confirm={t("users:unenroll")}
          onClose={() => setPendingAction(undefined)}
          onConfirm={async () => {
            await unenroll.mutateAsync({ user_ids: [user.id], course_ids: rows.map(({ courseId }) => courseId) })
            pendingAction.clear()
          }}
        >
          <p>{t("users:unenroll.text")}</p>
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
      {pendingAction?.action === "due-date" && (
        <DueActionDialog
          action="due-date"
          enrollments={rows.map(({ id, courseName }) => ({ id, name: courseName }))}
          onDone={pendingAction.clear}
          onClose={() => setPendingAction(undefined)}
        />
      )}
      {pendingAction?.action === "reset" && (
        <ConfirmDialog
          title={t("users:reset.title", messageParams)}
          confirm={t("users:reset")}
          onClose={() => setPendingAction(undefined)}
          onConfirm={async () => {
            await reset.mutateAsync(rows.map(({ id }) => id))
            pendingAction.clear()
          }}
        >
          <p>{t("users:reset.text")}</p>
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
