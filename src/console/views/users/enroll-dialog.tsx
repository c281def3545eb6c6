import { useState } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { CoursePicker, GroupSelect } from "./pickers.tsx"
import { useEnroll } from "./user-mutations.ts"

interface EnrollDialogProps {
  userIds: readonly number[]
  onClose: () => void
  onDone?: () => void
}

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
        more={<CancelButton />}
      >
        <GroupSelect onChange={setGroupId} />
        <CoursePicker name="course_ids" selected={courses} onSelect={setCourses} groupId={groupId} />
        <TextField name="expire_on" type="date" label={t("users:expires")} hint={t("users:expires.hint")} />
      </Form>
    </Dialog>
  )
}
