import { useEffect, useId, useState } from "preact/hooks"
import type { ListPath, RecordOf } from "../../client/index.ts"
import { useListPage } from "../api/queries.ts"
import { number, t } from "../messages/messages.ts"
import { type Choice, TYPING_PAUSE } from "./choice.ts"
import { Loaded } from "./error-message.tsx"
import { Faults } from "./form.tsx"

interface PickerProps<Path extends ListPath> {
  /** Under which a form sends the ids. */
  name: string
  label: string
  /** The list that is searched. */
  path: Path
  /** What it is asked for a text; without its paging. */
  query: (text: string) => object
  choiceOf: (row: RecordOf<Path>) => Choice
  chosen: readonly Choice[]
  onChoose: (chosen: readonly Choice[]) => void
}

const SHOWN = 8

/**
 * Picks any number of records of a list that is too long to be shown: searched as one types. For one of them there is
 * Combobox.
 */
export function Picker<Path extends ListPath>(props: PickerProps<Path>) {
  const { name, label, path, query, choiceOf, chosen, onChoose } = props
  const id = useId()
  const [text, setText] = useState("")
  const [searched, search] = useState("")
  useEffect(() => {
    const timer = setTimeout(() => search(text.trim()), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  const page = useListPage(path, { query: query(searched), at: undefined, size: SHOWN })
  const isChosen = (choice: Choice) => chosen.some((one) => one.id === choice.id)
  const leaveOut = (choice: Choice) => onChoose(chosen.filter((one) => one.id !== choice.id))
  const toggle = (choice: Choice) => {
    if (isChosen(choice)) leaveOut(choice)
    else onChoose([...chosen, choice])
  }
  return (
    <fieldset class="choices picker">
      <legend>{label}</legend>
      {chosen.length > 0 && (
        <ul class="picked">
          {chosen.map((choice) => (
            <li key={choice.id} class="badge">
              <span>{choice.name}</span>
              <input type="hidden" name={name} value={choice.id} />
              <button
                type="button"
                class="plain"
                aria-label={t("picker.remove", { name: choice.name })}
                onClick={() => {
                  leaveOut(choice)
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
          // The key searches here: it does not send the form around it.
          if (event.key === "Enter") event.preventDefault()
        }}
      />
      <Loaded of={page}>
        {({ records, next }) => (
          <div aria-busy={page.isFetching}>
            {records.length === 0 && <p class="quiet">{searched ? t("list.no-results") : t("list.empty")}</p>}
            {records.map(choiceOf).map((choice) => (
              <div class="check" key={choice.id}>
                <input
                  type="checkbox"
                  id={`${id}-${choice.id}`}
                  checked={isChosen(choice)}
                  onChange={() => toggle(choice)}
                />
                <label for={`${id}-${choice.id}`}>{choice.name}</label>
              </div>
            ))}
            {next && <p class="quiet">{t("picker.more", { shown: number(SHOWN) })}</p>}
          </div>
        )}
      </Loaded>
      <Faults id={`${id}-fault`} name={name} label={label} />
    </fieldset>
  )
}
