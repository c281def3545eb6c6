import { useState } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { Form } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"

interface EnrollDialogProps {
  title: string
  /** Enrolls them. What it throws is shown. */
  onEnroll: (userIds: number[]) => Promise<unknown>
  onClose: () => void
}

/** Chooses users by search, and enrolls them. */
export function EnrollDialog({ title, onEnroll, onClose }: EnrollDialogProps) {
  const [chosen, setChosen] = useState<readonly Choice[]>([])
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        submit={t("courses:enroll")}
        isReady={chosen.length > 0}
        onSubmit={async () => {
          await onEnroll(chosen.map(({ id }) => id))
          onClose()
        }}
      >
        <Picker
          name="user_ids"
          label={t("courses:learners")}
          path="/api/users/tabularlist"
          query={(nameOrEmail) => ({ search_param: { nameOrEmail } })}
          choiceOf={({ id, first_name, last_name, email }) => ({ id, name: `${first_name} ${last_name}, ${email}` })}
          chosen={chosen}
          onChoose={setChosen}
        />
      </Form>
    </Dialog>
  )
}
