import { useState } from "preact/hooks"
import type { DataOf } from "../../../client/types.ts"
import { api } from "../../api/client.ts"
import { fetchListPage } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { EraseDialog } from "./personal-data.tsx"
import { useDeleteUsers, useUnenroll } from "./user-mutations.ts"

export type DeletionResult = DataOf<"/api/user/delete", "post">

const PAGE_SIZE = 100

/** Removes a user from all classes, whose registrations would block the deletion. */
async function leaveClasses(userId: number) {
  const query = { user_id: userId }
  const request = { query, page: undefined, size: PAGE_SIZE }
  for (let previousCount = Number.POSITIVE_INFINITY; ; ) {
    const { records } = await fetchListPage("/api/users/enrolled-classes", request, new AbortController().signal)
    // Stops when a round removed nothing.
    if (records.length === 0 || records.length >= previousCount) return
    previousCount = records.length === PAGE_SIZE ? Number.POSITIVE_INFINITY : records.length
    for (const [classId, registrations] of Map.groupBy(records, (record) => record.classId))
      await api.POST("/api/class/remove/{id}", {
        params: { path: { id: classId } },
        body: { enrollmentIds: registrations.map(({ id }) => id) },
      })
  }
}

interface BlockedDeletionDialogProps {
  result: DeletionResult
  onClose: () => void
  /** Called when all users were deleted after all. */
  onDeleted?: () => void
}

/** Shows which users could not be deleted and why, and offers to unenroll or erase them. */
export function BlockedDeletionDialog({
  result: initialResult,
  onClose,
  onDeleted = onClose,
}: BlockedDeletionDialogProps) {
  const [result, setResult] = useState(initialResult)
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const [erasing, setErasing] = useState<{ id: number; name: string }>()
  const unenroll = useUnenroll()
  const remove = useDeleteUsers()
  const users = result.notDeletedStudents
  const courseIds = [...new Set(Object.values(result.usedInCourses).flatMap((courses) => courses.map(({ id }) => id)))]
  const reasons = [
    { title: t("users:delete.blocked.courses"), used: result.usedInCourses },
    { title: t("users:delete.blocked.course-authors"), used: result.usedAsCourseAuthors },
    { title: t("users:delete.blocked.module-authors"), used: result.usedAsModuleAuthors },
    { title: t("users:delete.blocked.instructors"), used: result.usedAsInstructors },
    { title: t("users:delete.blocked.portals"), used: result.usedInPortals },
  ].filter(({ used }) => Object.keys(used).length > 0)
  const unenrollAndDelete = async () => {
    setIsBusy(true)
    setError(undefined)
    const ids = users.map(({ id }) => id)
    try {
      await unenroll.mutateAsync({ user_ids: ids, course_ids: courseIds })
      for (const id of ids) await leaveClasses(id)
      const nextResult = await remove.mutateAsync(ids)
      if (nextResult.notDeletedStudents.length === 0) onDeleted()
      else setResult(nextResult)
    } catch (failure) {
      setError(failure)
    } finally {
      setIsBusy(false)
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
  const messageParams = { count: users.length, shown: number(users.length) }
  return (
    <Dialog title={t("users:delete.blocked.title")} onClose={onClose}>
      <p lang="en" dir="auto">
        {result.message}
      </p>
      <ErrorMessage error={error} />
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
          <p>{t("users:delete.blocked.unenroll-text", messageParams)}</p>
          <button type="button" class="danger" disabled={isBusy} onClick={unenrollAndDelete}>
            {isBusy ? t("working") : t("users:delete.blocked.unenroll")}
          </button>
        </>
      )}
      <p>{t("users:delete.blocked.erase")}</p>
      {users.length === 1 && (
        <button type="button" disabled={isBusy} onClick={() => setErasing(users[0])}>
          {t("users:erase")}
        </button>
      )}
    </Dialog>
  )
}
