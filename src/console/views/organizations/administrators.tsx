import { useRef, useState } from "preact/hooks"
import { useReads } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import { UserPicker } from "./people.tsx"

interface AdministratorsProps {
  ids: readonly number[]
  save: (ids: number[]) => Promise<unknown>
  hint: string
}

const without = (choices: readonly Choice[], others: readonly Choice[]) =>
  choices.filter(({ id }) => !others.some((other) => other.id === id))

function EditAdministrators({
  current,
  save,
  hint,
}: Omit<AdministratorsProps, "ids"> & { current: readonly Choice[] }) {
  // The selection follows the stored list: someone else may have changed it meanwhile.
  const [edits, setEdits] = useState<{ added: readonly Choice[]; removed: readonly Choice[] }>({
    added: [],
    removed: [],
  })
  const selected = [...without(current, edits.removed), ...without(edits.added, current)]
  return (
    <Form submit={t("save")} extraState={selected} onSubmit={() => save(selected.map(({ id }) => id))}>
      <p class="quiet">{hint}</p>
      <UserPicker
        name="admin_ids"
        label={t("organizations:administrators")}
        selected={selected}
        onSelect={(next) => setEdits({ added: without(next, current), removed: without(current, next) })}
      />
    </Form>
  )
}

/** The administrators of a group or portal. */
export function Administrators({ ids, save, hint }: AdministratorsProps) {
  const users = useReads(
    "/api/user/{id}",
    ids.map((id) => ({ params: { path: { id } } })),
  )
  // The form stays while the names of a changed list load.
  const latest = useRef(users.data)
  if (users.data) latest.current = users.data
  return (
    <Loaded query={{ data: latest.current, error: users.error }}>
      {(loaded) => (
        <EditAdministrators
          current={loaded.map(({ id, firstName, lastName, email }) => ({
            id,
            name: `${firstName} ${lastName} (${email})`,
          }))}
          save={save}
          hint={hint}
        />
      )}
    </Loaded>
  )
}
