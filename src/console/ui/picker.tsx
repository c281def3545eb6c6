import { useEffect, useId, useState } from "preact/hooks"
import type { ListPath, RecordOf } from "../../client/index.ts"
import { useListPage } from "../api/queries.ts"
import { number, t } from "../messages/messages.ts"
import { type Choice, SEARCH_DELAY_MS } from "./choice.ts"
import { Loaded } from "./error-message.tsx"
import { FieldErrors } from "./form.tsx"

interface PickerProps<Path extends ListPath> {
  /** Form field that submits the ids. */
  name: string
  label: string
  /** The list to search. */
  path: Path
  /** The query for a search text, without paging. */
  query: (text: string) => object
  toChoice: (row: RecordOf<Path>) => Choice
  selected: readonly Choice[]
  onSelect: (selected: readonly Choice[]) => void
}

const MAX_OPTIONS = 8

/**
 * Selects any number of records of a list by search. To select one, use Combobox.
 */
export function Picker<Path extends ListPath>(props: PickerProps<Path>) {
  const { name, label, path, query, toChoice, selected, onSelect } = props
  const id = useId()
  const [text, setText] = useState("")
  const [searchText, setSearchText] = useState("")
  useEffect(() => {
    const timer = setTimeout(() => setSearchText(text.trim()), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text])
  const page = useListPage(path, { query: query(searchText), page: undefined, size: MAX_OPTIONS })
  const isSelected = (choice: Choice) => selected.some(({ id }) => id === choice.id)
  const remove = (choice: Choice) => onSelect(selected.filter(({ id }) => id !== choice.id))
  const toggle = (choice: Choice) => {
    if (isSelected(choice)) remove(choice)
    else onSelect([...selected, choice])
  }
  return (
    <fieldset class="choices picker">
      <legend>{label}</legend>
      {selected.length > 0 && (
        <ul class="picked">
          {selected.map((choice) => (
            <li key={choice.id} class="badge">
              <span>{choice.name}</span>
              <input type="hidden" name={name} value={choice.id} />
              <button
                type="button"
                class="plain"
                aria-label={t("picker.remove", { name: choice.name })}
                onClick={() => {
                  remove(choice)
                  document.getElementById(id)?.focus()
                }}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        id={id}
        type="search"
        aria-label={t("picker.search", { list: label })}
        placeholder={t("picker.placeholder")}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Enter must not submit the surrounding form.
          if (event.key === "Enter") event.preventDefault()
        }}
      />
      <Loaded query={page}>
        {({ records, next }) => (
          <div aria-busy={page.isFetching}>
            {records.length === 0 && <p class="quiet">{searchText ? t("list.no-results") : t("list.empty")}</p>}
            {records.map(toChoice).map((choice) => (
              <div class="check" key={choice.id}>
                <input
                  type="checkbox"
                  id={`${id}-${choice.id}`}
                  checked={isSelected(choice)}
                  onChange={() => toggle(choice)}
                />
                <label for={`${id}-${choice.id}`}>{choice.name}</label>
              </div>
            ))}
            {next && <p class="quiet">{t("picker.more", { shown: number(MAX_OPTIONS) })}</p>}
          </div>
        )}
      </Loaded>
      <FieldErrors id={`${id}-fault`} name={name} label={label} />
    </fieldset>
  )
}
