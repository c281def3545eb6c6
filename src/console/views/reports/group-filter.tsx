import { useRead } from "../../api/queries.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { useUrlState } from "../../ui/url-state.ts"

/** Selects a group by name. The URL stores it as `group`. */
export function GroupFilter({ label, groupId }: { label: string; groupId: number | undefined }) {
  const { change } = useUrlState()
  const group = useRead(
    "/api/group/{id}",
    { params: { path: { id: groupId ?? 0 } } },
    { enabled: groupId !== undefined },
  )
  return (
    <Combobox
      name="group"
      label={label}
      path="/api/group/tabularlist"
      searchBy="name"
      toChoice={({ id, name }) => ({ id, name })}
      value={groupId !== undefined && group.data ? { id: groupId, name: group.data.name } : undefined}
      onSelect={(selected) => change({ group: selected?.id, page: undefined }, { replace: true })}
    />
  )
}
