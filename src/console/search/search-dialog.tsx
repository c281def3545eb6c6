import { useQueries } from "@tanstack/preact-query"
import { useEffect, useId, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { hasAccess, useMe } from "../api/me.tsx"
import { t } from "../messages/messages.ts"
import { SEARCH_DELAY_MS } from "../ui/choice.ts"
import { Dialog } from "../ui/dialog.tsx"
import { navigated } from "../ui/page.tsx"
import { confirmLeave } from "../ui/unsaved-changes.ts"
import { views } from "../views.ts"
import { type Result, SOURCES } from "./sources.ts"
import "./search.css"

interface ResultGroup {
  label: string
  results: readonly Result[]
}

/** The pages of the console whose names contain the text. */
function usePages(text: string): ResultGroup {
  const me = useMe()
  const results = views.flatMap(({ path, nav, access }) =>
    nav && hasAccess(me, access) ? [{ href: `/console${path === "/" ? "" : path}`, name: t(nav.label) }] : [],
  )
  const folded = text.toLocaleLowerCase()
  return { label: t("search.pages"), results: results.filter(({ name }) => name.toLocaleLowerCase().includes(folded)) }
}

/** The records whose names contain the text, by kind. */
function useRecords(text: string) {
  const me = useMe()
  const sources = SOURCES.filter(({ access }) => hasAccess(me, access))
  return useQueries({
    queries: sources.map(({ label, find }) => ({
      queryKey: ["search", label, text],
      enabled: text !== "",
      queryFn: ({ signal }: { signal: AbortSignal }) => find(text, me, signal),
    })),
    combine: (all) => ({
      isLoading: all.some(({ isFetching }) => isFetching),
      groups: sources.map(({ label }, index): ResultGroup => ({ label: t(label), results: all[index]?.data ?? [] })),
    }),
  })
}

/** Finds pages, people, courses, classes, groups and portals, and opens the selected one. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const id = useId()
  const { route } = useLocation()
  const [input, setInput] = useState("")
  const [text, setText] = useState("")
  const [activeIndex, setActiveIndex] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setText(input.trim()), SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [input])
  const pages = usePages(input.trim())
  const records = useRecords(text)
  const groups = [pages, ...(input.trim() === "" ? [] : records.groups)].filter(({ results }) => results.length > 0)
  const flat = groups.flatMap(({ results }) => results)
  const active = flat[Math.min(activeIndex, flat.length - 1)]
  useEffect(() => {
    document.getElementById(`${id}-${active?.href}`)?.scrollIntoView({ block: "nearest" })
  }, [active?.href])
  const open = ({ href }: Result) =>
    confirmLeave(() => {
      navigated.set(true)
      onClose()
      route(href)
    })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && flat.length > 0) {
      event.preventDefault()
      setActiveIndex((activeIndex + step + flat.length) % flat.length)
    } else if (event.key === "Enter" && active) {
      event.preventDefault()
      open(active)
    }
  }
  const isSearching = records.isLoading || text !== input.trim()
  return (
    <Dialog title={t("search")} onClose={onClose}>
      <div class="search-dialog">
        <input
          type="search"
          role="combobox"
          autoFocus
          aria-label={t("search")}
          aria-expanded="true"
          aria-controls={`${id}-results`}
          aria-activedescendant={active && `${id}-${active.href}`}
          aria-autocomplete="list"
          autocomplete="off"
          placeholder={t("search.placeholder")}
          value={input}
          onInput={(event) => {
            setInput(event.currentTarget.value)
            setActiveIndex(0)
          }}
          onKeyDown={onKeyDown}
        />
        <div id={`${id}-results`} role="listbox" aria-label={t("search.results")} aria-busy={isSearching}>
          {groups.map(({ label, results }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options
            <div key={label} role="group" aria-label={label}>
              <p class="quiet" aria-hidden="true">
                {label}
              </p>
              {results.map((result) => (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
                <div
                  key={result.href}
                  id={`${id}-${result.href}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={result === active}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => open(result)}
                >
                  <span dir="auto">{result.name}</span>
                  {result.hint && (
                    <span class="quiet" dir="auto">
                      {result.hint}
                    </span>
                  )}
                </div>
              ))}
            </div>
          ))}
        </div>
        <p class="quiet" role="status">
          {flat.length === 0 && !isSearching && t("search.none")}
        </p>
      </div>
    </Dialog>
  )
}
