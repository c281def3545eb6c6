import { useState } from "preact/hooks"
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

function EditAdministrators({
  current,
  save,
  hint,
}: Omit<AdministratorsProps, "ids"> & { current: readonly Choice[] }) {
  const [selected, setSelected] = useState(current)
  return (
    <Form submit={t("save")} extraState={selected} onSubmit={() => save(selected.map(({ id }) => id))}>
      <p class="quiet">{hint}</p>
      <UserPicker
        name="admin_ids"
        label={t("organizations:administrators")}
        selected={selected}
        onSelect={setSelected}
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
  return (
    <Loaded query={users}>
      {(loaded) => (
        <EditAdministrators
          key={ids.join()}
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
