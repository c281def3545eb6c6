import type { DataOf } from "../../../client/types.ts"
import { t } from "../../messages/messages.ts"
import { Dialog } from "../../ui/dialog.tsx"

export type Deletion = DataOf<"/api/user/delete", "post">

/** Who could not be deleted, and what keeps each of them. */
export function Kept({ of, onClose }: { of: Deletion; onClose: () => void }) {
  const reasons = [
    { title: t("people:kept.courses"), used: of.usedInCourses },
    { title: t("people:kept.course-authors"), used: of.usedAsCourseAuthors },
    { title: t("people:kept.module-authors"), used: of.usedAsModuleAuthors },
    { title: t("people:kept.instructors"), used: of.usedAsInstructors },
    { title: t("people:kept.portals"), used: of.usedInPortals },
  ].filter(({ used }) => Object.keys(used).length > 0)
  return (
    <Dialog title={t("people:kept.title")} onClose={onClose}>
      <p lang="en" dir="auto">
        {of.message}
      </p>
      <ul>
        {of.notDeletedStudents.map(({ id, name }) => (
          <li key={id}>{name}</li>
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
    </Dialog>
  )
}
