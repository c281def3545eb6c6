import type { ListPath, RecordOf } from "../../../client/index.ts"
import { useListPage, useReads } from "../../api/queries.ts"
import type { Choice } from "../../ui/choice.ts"
import { Picker } from "../../ui/picker.tsx"

type NamedRecord = `/api/${"course" | "group" | "portal" | "category" | "membership"}/{id}`

interface RecordPickerProps<Path extends ListPath> {
  name: string
  label: string
  path: Path
  /** A record of that list. */
  record: NamedRecord
  searchBy: string
  toChoice: (row: RecordOf<Path>) => Choice
  ids: readonly number[]
  onSelect: (ids: readonly number[]) => void
}

const MAX_NAMES = 100

/** Selects records by id, and shows their names. */
export function RecordPicker<Path extends ListPath>(props: RecordPickerProps<Path>) {
  const { name, label, path, record, searchBy, toChoice, ids, onSelect } = props
  const named = useListPage(path, { query: {}, page: undefined, size: MAX_NAMES })
  const known = new Map((named.data?.records ?? []).map(toChoice).map((choice) => [choice.id, choice.name]))
  const unknown = named.data ? ids.filter((id) => !known.has(id)) : []
  const others = useReads(
    record,
    unknown.map((id) => ({ params: { path: { id } } })),
  )
  for (const other of others.data ?? []) known.set(other.id, other.name)
  return (
    <Picker
      name={name}
      label={label}
      path={path}
      query={(text) => (text ? { search_param: { [searchBy]: text } } : {})}
      toChoice={toChoice}
      selected={ids.map((id) => ({ id, name: known.get(id) ?? `#${id}` }))}
      onSelect={(selected) => onSelect(selected.map(({ id }) => id))}
    />
  )
}
