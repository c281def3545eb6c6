import { Award, Users } from "lucide-preact"
import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Time } from "../../ui/time.tsx"
import { AddAttendees } from "./add-attendees.tsx"
import { CLASS_QUERIES } from "./affected-queries.ts"
import { ATTENDANCE_STATUSES, AttendanceSelect, attendanceLabel, type Student } from "./attendance-select.tsx"
import type { ClassTabProps } from "./class-tab.ts"

const nameOf = ({ first_name, last_name }: Student) => `${first_name} ${last_name}`

export function ClassAttendees({ id }: ClassTabProps) {
  const isStaff = hasAccess(useMe(), "staff")
  const [isAdding, setIsAdding] = useState(false)
  const [toRemove, setToRemove] = useState<{ rows: readonly Student[]; clear: () => void }>()
  const remove = useChange({
    call: (enrollmentIds: number[]) =>
      api.POST("/api/class/remove/{id}", { params: { path: { id } }, body: { enrollmentIds } }),
    invalidates: CLASS_QUERIES,
  })
  const issue = useChange({
    call: (enrollmentIds: number[]) =>
      api.POST("/api/class/assignCertificate/{id}", { params: { path: { id } }, body: { enrollmentIds } }),
    invalidates: ["/api/class", "/api/certificates", "/api/user"],
  })
  return (
    <>
      <div class="actions">
        <button type="button" class="primary" onClick={() => setIsAdding(true)}>
          {t("classes:enroll")}
        </button>
        <a class="button" href={`/console/reports/classes?class=${id}`}>
          {t("classes:report")}
        </a>
      </div>
      <ErrorMessage error={issue.error} />
      <Listing
        path="/api/class/enrolled-students"
        caption={t("classes:tab.students")}
        query={{ class_id: id }}
        keyOf={(row) => row.id}
        nameOf={nameOf}
        empty={{
          icon: Users,
          text: t("classes:attendees.empty"),
          action: { label: t("classes:enroll"), onClick: () => setIsAdding(true) },
        }}
        filters={[
          { name: "nameOrEmail", label: t("classes:name-or-email") },
          {
            name: "status",
            label: t("classes:status"),
            options: ATTENDANCE_STATUSES.map((value) => ({ value, label: attendanceLabel(value) })),
            toApi: (value) => [value],
          },
        ]}
        columns={[
          {
            key: "name",
            title: t("classes:name"),
            sort: "first_name",
            render: (row) => <a href={`/console/users/${row.user_id}`}>{nameOf(row)}</a>,
          },
          { key: "email", title: t("classes:email"), sort: "email", render: ({ email }) => email },
          {
            key: "status",
            title: t("classes:status"),
            render: (row) => <AttendanceSelect classId={id} student={row} />,
          },
          {
            key: "registered",
            title: t("classes:registered"),
            sort: "registered_on",
            render: ({ registered_on }) => <Time value={registered_on} />,
          },
          {
            key: "accessed",
            title: t("classes:last-accessed"),
            render: ({ last_accessed_on }) => <Time value={last_accessed_on} none={t("classes:never")} />,
          },
        ]}
        actions={(rows, clear) => (
          <>
            {isStaff && (
              <button
                type="button"
                disabled={issue.isPending}
                onClick={() =>
                  issue.mutate(
                    rows.map((row) => row.id),
                    { onSuccess: clear },
                  )
                }
              >
                <Award size={16} aria-hidden /> {t("classes:certificates.issue")}
              </button>
            )}
            <button type="button" class="danger" onClick={() => setToRemove({ rows, clear })}>
              {t("classes:remove")}
            </button>
          </>
        )}
      >
        {({ totalAttended, totalNoShow, totalCancelled }) => (
          <p class="actions">
            <Badge status="attended">{t("classes:count.attended", { shown: number(totalAttended) })}</Badge>
            <Badge status="no show">{t("classes:count.no-show", { shown: number(totalNoShow) })}</Badge>
            <Badge>{t("classes:count.canceled", { shown: number(totalCancelled) })}</Badge>
          </p>
        )}
      </Listing>
      {isAdding && <AddAttendees classId={id} onClose={() => setIsAdding(false)} />}
      {toRemove && (
        <ConfirmDialog
          title={t("classes:remove")}
          confirm={t("classes:remove")}
          onClose={() => setToRemove(undefined)}
          onConfirm={async () => {
            await remove.mutateAsync(toRemove.rows.map((row) => row.id))
            toRemove.clear()
          }}
        >
          <p>{t("classes:remove.text", { count: toRemove.rows.length, shown: number(toRemove.rows.length) })}</p>
          <ul>
            {toRemove.rows.map((row) => (
              <li key={row.id}>{nameOf(row)}</li>
            ))}
          </ul>
        </ConfirmDialog>
      )}
    </>
  )
}
