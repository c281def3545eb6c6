import { useState } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Cancel, Dialog } from "../../ui/dialog.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { CoursePicker, OwnGroup } from "./pickers.tsx"
import { useEnroll } from "./user-mutations.ts"

interface EnrollDialogProps {
  userIds: readonly number[]
  onClose: () => void
  onDone?: () => void
}

/** Enrolls users in courses that are picked here. */
export function EnrollDialog({ userIds, onClose, onDone }: EnrollDialogProps) {
  const [courses, setCourses] = useState<readonly Choice[]>([])
  const [groupId, setGroupId] = useState<number>()
  const enroll = useEnroll()
  return (
    <Dialog title={t("users:enroll.title", { count: userIds.length, shown: userIds.length })} onClose={onClose}>
      <Form
        submit={t("users:enroll")}
        isReady={courses.length > 0}
        onSubmit={async (values) => {
          const expire_on = values.optional("expire_on")
          await enroll.mutateAsync({
            user_ids: [...userIds],
            course_ids: courses.map(({ id }) => id),
            ...(groupId && { group_id: groupId }),
            ...(expire_on && { expire_on }),
          })
          onDone?.()
          onClose()
        }}
        more={<Cancel />}
      >
        <OwnGroup onChange={setGroupId} />
        <CoursePicker name="course_ids" chosen={courses} onChoose={setCourses} groupId={groupId} />
        <TextField name="expire_on" type="date" label={t("users:expires")} hint={t("users:expires.hint")} />
      </Form>
    </Dialog>
  )
}
