import { useState } from "preact/hooks"
import type { DataOf } from "../../../client/types.ts"
import { api } from "../../api/client.ts"
import { readListPage } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { Problem } from "../../ui/error-message.tsx"
import { EraseDialog } from "./personal-data.tsx"
import { useDeleteUsers, useUnenroll } from "./user-mutations.ts"

export type Deletion = DataOf<"/api/user/delete", "post">

/** As many places in classes as one call reads. */
const PLACES = 100

/** Removes a user from all of their classes: a place in a class keeps them, as an enrollment does. */
async function leaveClasses(userId: number) {
  const query = { user_id: userId }
  const asked = { query, at: undefined, size: PLACES }
  for (let before = Number.POSITIVE_INFINITY; ; ) {
    const { records } = await readListPage("/api/users/enrolled-classes", asked, new AbortController().signal)
    // Stops where nothing goes any more.
    if (records.length === 0 || records.length >= before) return
    before = records.length === PLACES ? Number.POSITIVE_INFINITY : records.length
    for (const [classId, places] of Map.groupBy(records, (one) => one.classId))
      await api.POST("/api/class/remove/{id}", {
        params: { path: { id: classId } },
        body: { enrollmentIds: places.map(({ id }) => id) },
      })
  }
}

interface KeptProps {
  of: Deletion
  onClose: () => void
  /** All of them are deleted. */
  onDeleted?: () => void
}

/** Who could not be deleted, what keeps each of them, and how they can be deleted all the same. */
export function Kept({ of: first, onClose, onDeleted = onClose }: KeptProps) {
  const [of, setDeletion] = useState(first)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [erasing, setErasing] = useState<{ id: number; name: string }>()
  const unenroll = useUnenroll()
  const remove = useDeleteUsers()
  const users = of.notDeletedStudents
  const courseIds = [...new Set(Object.values(of.usedInCourses).flatMap((courses) => courses.map(({ id }) => id)))]
  const reasons = [
    { title: t("users:delete.blocked.courses"), used: of.usedInCourses },
    { title: t("users:delete.blocked.course-authors"), used: of.usedAsCourseAuthors },
    { title: t("users:delete.blocked.module-authors"), used: of.usedAsModuleAuthors },
    { title: t("users:delete.blocked.instructors"), used: of.usedAsInstructors },
    { title: t("users:delete.blocked.portals"), used: of.usedInPortals },
  ].filter(({ used }) => Object.keys(used).length > 0)
  const deleteAnyway = async () => {
    setBusy(true)
    setError(undefined)
    const ids = users.map(({ id }) => id)
    try {
      await unenroll.mutateAsync({ user_ids: ids, course_ids: courseIds })
      for (const id of ids) await leaveClasses(id)
      const deletion = await remove.mutateAsync(ids)
      if (deletion.notDeletedStudents.length === 0) onDeleted()
      else setDeletion(deletion)
    } catch (failure) {
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  if (erasing)
    return (
      <EraseDialog
        user={erasing}
        onClose={() => {
          setErasing(undefined)
          onClose()
        }}
      />
    )
  const gaps = { count: users.length, shown: number(users.length) }
  return (
    <Dialog title={t("users:delete.blocked.title")} onClose={onClose}>
      <p lang="en" dir="auto">
        {of.message}
      </p>
      <Problem error={error} />
      <ul>
        {users.map(({ id, name }) => (
          <li key={id}>
            <a href={`/console/users/${id}`} onClick={onClose}>
              {name}
            </a>
          </li>
        ))}
      </ul>
      {reasons.map(({ title, used }) => (
        <section key={title}>
          <h3>{title}</h3>
          <dl class="facts">
            {Object.entries(used).flatMap(([user, records]) => [
              <dt key={user}>{user}</dt>,
              <dd key={`${user} in`}>{records.map(({ name }) => name).join(", ")}</dd>,
            ])}
          </dl>
        </section>
      ))}
      <h3>{t("users:delete.blocked.options")}</h3>
      {courseIds.length > 0 && (
        <>
          <p>{t("users:delete.blocked.unenroll-text", gaps)}</p>
          <button type="button" class="danger" disabled={busy} onClick={deleteAnyway}>
            {busy ? t("working") : t("users:delete.blocked.unenroll")}
          </button>
        </>
      )}
      <p>{t("users:delete.blocked.erase")}</p>
      {users.length === 1 && (
        <button type="button" disabled={busy} onClick={() => setErasing(users[0])}>
          {t("users:erase")}
        </button>
      )}
    </Dialog>
  )
}
