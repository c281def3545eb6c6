import type { ListPath, RecordOf } from "../../../client/index.ts"
import { useListPage } from "../../api/queries.ts"
import type { Choice } from "../../ui/choice.ts"
import { Picker } from "../../ui/picker.tsx"

interface RecordPickerProps<Path extends ListPath> {
  name: string
  label: string
  path: Path
  searchBy: string
  toChoice: (row: RecordOf<Path>) => Choice
  ids: readonly number[]
  onSelect: (ids: readonly number[]) => void
}

const MAX_NAMES = 100

/** Selects records by id, and shows their names. */
export function RecordPicker<Path extends ListPath>(props: RecordPickerProps<Path>) {
  const { name, label, path, searchBy, toChoice, ids, onSelect } = props
  const named = useListPage(path, { query: {}, page: undefined, size: MAX_NAMES })
  const known = new Map((named.data?.records ?? []).map(toChoice).map((choice) => [choice.id, choice.name]))
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
