import { useEffect, useId, useRef, useState } from "preact/hooks"
import type { ListPath, RecordOf } from "../../client/index.ts"
import { useListPage } from "../api/queries.ts"
import { t } from "../messages/messages.ts"
import { type Choice, SEARCH_DELAY_MS } from "./choice.ts"
import { ErrorMessage } from "./error-message.tsx"
import { Field } from "./form.tsx"

interface ComboboxProps<Path extends ListPath> {
  name: string
  label: string
  hint?: string
  /** The list to search. */
  path: Path
  /** The member of search_param that takes the search text. */
  searchBy: string
  /** Further query parameters. */
  query?: Record<string, unknown>
  toChoice: (row: RecordOf<Path>) => Choice
  value?: Choice | undefined
  required?: boolean
  placeholder?: string
  /** `false`: the selection stays as it was until `value` changes. */
  onSelect?: (selected: Choice | undefined) => unknown
}

const MAX_OPTIONS = 20

/** The search text; empty while the text is the name of the selected record. */
const toSearchText = (text: string, selected: Choice | undefined) => (text === selected?.name ? "" : text.trim())

/**
 * Selects one record of a list by search. The form submits its id. To select several, use Picker.
 */
export function Combobox<Path extends ListPath>(props: ComboboxProps<Path>) {
  const { name, label, hint, path, searchBy, query = {}, toChoice, value, required, placeholder, onSelect } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [selected, setSelected] = useState(value)
  const [text, setText] = useState(value?.name ?? "")
  const [searchText, setSearchText] = useState("")
  const [isOpen, setIsOpen] = useState(false)
  const [activeIndex, setActiveIndex] = useState(0)
  const [isEnterPending, setIsEnterPending] = useState(false)
  useEffect(() => {
    setSelected(value)
    setText(value?.name ?? "")
  }, [value?.id, value?.name])
  useEffect(() => {
    const timer = setTimeout(() => setSearchText(toSearchText(text, selected)), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text, selected])
  const search_param = { ...(query.search_param as object | undefined), ...(searchText && { [searchBy]: searchText }) }
  const listQuery = { ...query, ...(Object.keys(search_param).length > 0 && { search_param }) }
  const page = useListPage(path, { query: listQuery, page: undefined, size: MAX_OPTIONS, enabled: isOpen })
  const options = isOpen ? (page.data?.records ?? []).map(toChoice) : []
  // Until the results for the text arrive, earlier options are shown; Enter waits for the new ones.
  const isUpToDate =
    isOpen && searchText === toSearchText(text, selected) && page.data !== undefined && !page.isPlaceholderData
  useEffect(() => {
    if (!isEnterPending || !isUpToDate) return
    setIsEnterPending(false)
    if (options[activeIndex]) select(options[activeIndex])
    else if (document.activeElement !== input.current) select(selected)
  }, [isEnterPending, isUpToDate])

  const select = (choice: Choice | undefined) => {
    const isRefused = choice?.id !== selected?.id && onSelect?.(choice) === false
    const next = isRefused ? selected : choice
    setSelected(next)
    setText(next?.name ?? "")
    setIsOpen(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setIsOpen(true)
      if (options.length > 0) setActiveIndex((activeIndex + step + options.length) % options.length)
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault()
      setIsEnterPending(true)
    } else if (event.key === "Escape" && isOpen) {
      // Closes the list box, not the surrounding dialog.
      event.preventDefault()
      event.stopPropagation()
      select(selected)
    }
  }
  return (
    <Field name={name} label={label} {...(hint && { hint })}>
      {(attributes) => (
        <div class="combobox">
          <input type="hidden" name={name} value={selected?.id ?? ""} />
          <input
            {...attributes}
            ref={input}
            name={undefined}
            type="text"
            role="combobox"
            autocomplete="off"
            placeholder={placeholder ?? t("picker.placeholder")}
            required={required}
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={`${id}-options`}
            aria-activedescendant={options[activeIndex] ? `${id}-${options[activeIndex].id}` : undefined}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value)
              setActiveIndex(0)
              setIsEnterPending(false)
              setIsOpen(true)
            }}
            onClick={() => setIsOpen(true)}
            onKeyDown={onKeyDown}
            onBlur={() => isOpen && !isEnterPending && select(text.trim() ? selected : undefined)}
          />
          <div id={`${id}-options`} role="listbox" aria-label={label} hidden={!isOpen} aria-busy={page.isFetching}>
            {options.map((choice, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
              <div
                key={choice.id}
                id={`${id}-${choice.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === activeIndex}
                // Keeps the focus in the input.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => select(choice)}
              >
                {choice.name}
              </div>
            ))}
          </div>
          {isOpen && page.data && options.length === 0 && <p class="quiet combobox-none">{t("list.no-results")}</p>}
          {isOpen && <ErrorMessage error={page.error} />}
        </div>
      )}
    </Field>
  )
}
