import { useState } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { Form } from "../../ui/form.tsx"
import { Picker } from "../../ui/picker.tsx"
import { CLASS_QUERIES } from "./affected-queries.ts"

type Result = DataOf<"/api/class/enroll/{id}", "post">

/** Adds users to a class, and shows who could not be added and why. */
export function AddAttendees({ classId, onClose }: { classId: number; onClose: () => void }) {
  const [selected, setSelected] = useState<readonly Choice[]>([])
  const [result, setResult] = useState<Result>()
  const enroll = useChange({
    call: (studentIds: number[]) =>
      api.POST("/api/class/enroll/{id}", { params: { path: { id: classId } }, body: { studentIds } }),
    invalidates: CLASS_QUERIES,
  })
  return (
    <Dialog title={t("classes:enroll")} onClose={onClose}>
      {result ? (
        <>
          <p lang="en" dir="auto">
            {result.message}
          </p>
          <ul>
            {result.notEnrolledUsers.map(({ id, name, reason }) => (
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
          isReady={selected.length > 0}
          onSubmit={async () => {
            const response = await enroll.mutateAsync(selected.map(({ id }) => id))
            if (response.notEnrolledUsers.length > 0) setResult(response)
            else onClose()
          }}
          more={<CancelButton />}
        >
          <Picker
            name="studentIds"
            label={t("classes:users")}
            path="/api/users/lookup"
            query={(search_term) => (search_term ? { search_term } : {})}
            toChoice={({ id, full_name, email }) => ({ id, name: `${full_name} (${email})` })}
            selected={selected}
            onSelect={setSelected}
          />
        </Form>
      )}
    </Dialog>
  )
}
