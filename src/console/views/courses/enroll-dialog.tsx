import { useState } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { Form } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"

interface EnrollDialogProps {
  title: string
  onEnroll: (userIds: number[]) => Promise<unknown>
  onClose: () => void
}

/** Selects users by search, and enrolls them. */
export function EnrollDialog({ title, onEnroll, onClose }: EnrollDialogProps) {
  const [selected, setChosen] = useState<readonly Choice[]>([])
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={t("courses:enroll")}
        isReady={selected.length > 0}
        onSubmit={async () => {
          await onEnroll(selected.map(({ id }) => id))
          onClose()
        }}
      >
        <Picker
          name="user_ids"
          label={t("courses:learners")}
          path="/api/users/tabularlist"
          query={(nameOrEmail) => ({ search_param: { nameOrEmail } })}
          toChoice={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name}, ${email}` })}
          selected={selected}
          onSelect={setChosen}
        />
      </Form>
    </Dialog>
  )
}
