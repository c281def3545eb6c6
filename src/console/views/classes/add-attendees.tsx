import { useState } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Cancel, Dialog } from "../../ui/dialog.tsx"
import { Form } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { CLASSES } from "./affected-queries.ts"

type Outcome = DataOf<"/api/class/enroll/{id}", "post">

/** Enrolls users in a class, and says who got no place and why. */
export function EnrollStudents({ classId, onClose }: { classId: number; onClose: () => void }) {
  const [chosen, choose] = useState<readonly Choice[]>([])
  const [outcome, setOutcome] = useState<Outcome>()
  const enroll = useChange({
    call: (studentIds: number[]) =>
      api.POST("/api/class/enroll/{id}", { params: { path: { id: classId } }, body: { studentIds } }),
    changes: CLASSES,
  })
  return (
    <Dialog title={t("classes:enroll")} onClose={onClose}>
      {outcome ? (
        <>
          <p lang="en" dir="auto">
            {outcome.message}
          </p>
          <ul>
            {outcome.notEnrolledUsers.map(({ id, name, reason }) => (
              <li key={id}>
                <bdi>{name || t("classes:user", { id })}</bdi>: <bdi lang="en">{reason}</bdi>
              </li>
            ))}
          </ul>
          <button type="button" onClick={onClose}>
            {t("close")}
          </button>
        </>
      ) : (
        <Form
          submit={t("classes:enroll")}
          isReady={chosen.length > 0}
          onSubmit={async () => {
            const done = await enroll.mutateAsync(chosen.map(({ id }) => id))
            if (done.notEnrolledUsers.length > 0) setOutcome(done)
            else onClose()
          }}
          more={<Cancel />}
        >
          <Picker
            name="studentIds"
            label={t("classes:users")}
            path="/api/users/lookup"
            query={(search_term) => (search_term ? { search_term } : {})}
            choiceOf={({ id, full_name, email }) => ({ id, name: `${full_name} (${email})` })}
            chosen={chosen}
            onChoose={choose}
          />
        </Form>
      )}
    </Dialog>
  )
}
