import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Confirm } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Time } from "../../ui/time.tsx"
import { EnrollStudents } from "./add-attendees.tsx"
import { CLASSES } from "./affected-queries.ts"
import { Attendance, STATUSES, type Student, statusWord } from "./attendance-select.tsx"
import type { ClassPart } from "./class-tab.ts"

const nameOf = ({ first_name, last_name }: Student) => `${first_name} ${last_name}`

/** Who is in the class, whether they came, and who is to be in it. */
export function ClassStudents({ id }: ClassPart) {
  const [enrolls, setEnrolls] = useState(false)
  const [removes, setRemoves] = useState<{ rows: readonly Student[]; clear: () => void }>()
  const remove = useChange({
    call: (enrollmentIds: number[]) =>
      api.POST("/api/class/remove/{id}", { params: { path: { id } }, body: { enrollmentIds } }),
    changes: CLASSES,
  })
  return (
    <>
      <div class="actions">
        <button type="button" class="primary" onClick={() => setEnrolls(true)}>
          {t("classes:enroll")}
        </button>
      </div>
      <Listing
        path="/api/class/enrolled-students"
        caption={t("classes:tab.students")}
        query={{ class_id: id }}
        keyOf={(row) => row.id}
        nameOf={nameOf}
        empty={t("classes:attendees.empty")}
        filters={[
          { name: "nameOrEmail", label: t("classes:name-or-email") },
          {
            name: "status",
            label: t("classes:status"),
            options: STATUSES.map((value) => ({ value, label: statusWord(value) })),
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
            render: (row) => <Attendance classId={id} student={row} />,
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
          <button type="button" class="danger" onClick={() => setRemoves({ rows, clear })}>
            {t("classes:remove")}
          </button>
        )}
      >
        {({ totalAttended, totalNoShow, totalCancelled }) => (
          <p class="actions">
            <span class="badge">{t("classes:count.attended", { shown: number(totalAttended) })}</span>
            <span class="badge">{t("classes:count.no-show", { shown: number(totalNoShow) })}</span>
            <span class="badge">{t("classes:count.canceled", { shown: number(totalCancelled) })}</span>
          </p>
        )}
      </Listing>
      {enrolls && <EnrollStudents classId={id} onClose={() => setEnrolls(false)} />}
      {removes && (
        <Confirm
          title={t("classes:remove")}
          confirm={t("classes:remove")}
          onClose={() => setRemoves(undefined)}
          onConfirm={async () => {
            await remove.mutateAsync(removes.rows.map((row) => row.id))
            removes.clear()
          }}
        >
          <p>{t("classes:remove.text", { count: removes.rows.length, shown: number(removes.rows.length) })}</p>
          <ul>
            {removes.rows.map((row) => (
              <li key={row.id}>{nameOf(row)}</li>
            ))}
          </ul>
        </Confirm>
      )}
    </>
  )
}
