import { useEffect, useId, useRef, useState } from "preact/hooks"
import type { ListPath, RecordOf } from "../../client/index.ts"
import { useListPage } from "../api/queries.ts"
import { t } from "../messages/messages.ts"
import { type Choice, TYPING_PAUSE } from "./choice.ts"
import { Field } from "./form.tsx"

interface ComboboxProps<Path extends ListPath> {
  name: string
  label: string
  hint?: string
  /** The list that is searched, and the member of its search_param that takes what is typed. */
  path: Path
  by: string
  /** What is asked beside it. */
  query?: Record<string, unknown>
  pick: (row: RecordOf<Path>) => Choice
  /** What is picked at first. */
  value?: Choice | undefined
  required?: boolean
  onPick?: (picked: Choice | undefined) => void
}

const SHOWN_AT_MOST = 20

/** What is searched for: nothing where the text is what was picked. */
const soughtIn = (text: string, picked: Choice | undefined) => (text === picked?.name ? "" : text.trim())

/**
 * Picks one record of a list on one line: searched as one types. A form has its id under the name. For several, and
 * where there is room, there is Picker.
 */
export function Combobox<Path extends ListPath>(props: ComboboxProps<Path>) {
  const { name, label, hint, path, by, query = {}, pick, value, required, onPick } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [picked, setPicked] = useState(value)
  const [text, setText] = useState(value?.name ?? "")
  const [sought, setSought] = useState("")
  const [open, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const [awaited, setAwaited] = useState(false)
  useEffect(() => {
    setPicked(value)
    setText(value?.name ?? "")
  }, [value?.id, value?.name])
  useEffect(() => {
    const timer = setTimeout(() => setSought(soughtIn(text, picked)), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text, picked])
  const search_param = { ...(query.search_param as object | undefined), ...(sought && { [by]: sought }) }
  const asked = { ...query, ...(Object.keys(search_param).length > 0 && { search_param }) }
  const page = useListPage(path, { query: asked, at: undefined, size: SHOWN_AT_MOST, enabled: open })
  const found = open ? (page.data?.records ?? []).map(pick) : []
  // Until the answer to what is typed has come, those of before are shown: what is chosen by Enter waits for it.
  const isFound = open && sought === soughtIn(text, picked) && page.data !== undefined && !page.isPlaceholderData
  useEffect(() => {
    if (!awaited || !isFound) return
    setAwaited(false)
    if (found[at]) take(found[at])
    else if (document.activeElement !== input.current) take(picked)
  }, [awaited, isFound])

  const take = (one: Choice | undefined) => {
    setPicked(one)
    setText(one?.name ?? "")
    setOpen(false)
    if (one?.id !== picked?.id) onPick?.(one)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setOpen(true)
      if (found.length > 0) setAt((at + step + found.length) % found.length)
    } else if (event.key === "Enter" && open) {
      event.preventDefault()
      setAwaited(true)
    } else if (event.key === "Escape" && open) {
      // It closes what it has opened, not the dialog around it.
      event.preventDefault()
      event.stopPropagation()
      take(picked)
    }
  }
  return (
    <Field name={name} label={label} {...(hint && { hint })}>
      {(attributes) => (
        <div class="combobox">
          <input type="hidden" name={name} value={picked?.id ?? ""} />
          <input
            {...attributes}
            ref={input}
            name={undefined}
            type="text"
            role="combobox"
            autocomplete="off"
            placeholder={t("picker.placeholder")}
            required={required}
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={`${id}-found`}
            aria-activedescendant={found[at] ? `${id}-${found[at].id}` : undefined}
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value)
              setAt(0)
              setAwaited(false)
              setOpen(true)
            }}
            onClick={() => setOpen(true)}
            onKeyDown={onKeyDown}
            onBlur={() => open && !awaited && take(text.trim() ? picked : undefined)}
          />
          <div id={`${id}-found`} role="listbox" aria-label={label} hidden={!open} aria-busy={page.isFetching}>
            {found.map((one, place) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the input's
              <div
                key={one.id}
                id={`${id}-${one.id}`}
                role="option"
                tabIndex={-1}
                aria-selected={place === at}
                // The input keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(one)}
              >
                {one.name}
              </div>
            ))}
          </div>
          {open && page.data && found.length === 0 && <p class="quiet combobox-none">{t("list.no-results")}</p>}
        </div>
      )}
    </Field>
  )
}
