import { Inbox, SearchX } from "lucide-preact"
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import type { DataOf, ListPath, RecordOf } from "../../client/index.ts"
import { PAGE_SIZE, useListPage } from "../api/queries.ts"
import { number, t } from "../messages/messages.ts"
import { SEARCH_DELAY_MS } from "./choice.ts"
import { type EmptyContent, EmptyState } from "./empty-state.tsx"
import { Loaded } from "./error-message.tsx"
import type { Options } from "./form.tsx"
import { type Column, Table } from "./table.tsx"
import { useUrlState } from "./url-state.ts"

export interface Filter {
  /** The member of search_param, and of the URL. */
  name: string
  label: string
  /** Options of a select; omit for a text search. */
  options?: Options
  /** Input type; default `search`. */
  type?: string
  /** Converts the value for the API. */
  toApi?: (value: string) => unknown
  /** A query parameter of its own instead of a member of search_param. */
  isQueryParam?: boolean
  /** The member that combines several filters, such as first and last day, as a comma-separated value. */
  partOf?: string
}

interface ListingProps<Path extends ListPath> {
  path: Path
  /** Accessible name. */
  caption: string
  /** A function: the columns depend on the response. */
  columns?: readonly Column<RecordOf<Path>>[] | ((answer: DataOf<Path, "get">) => readonly Column<RecordOf<Path>>[])
  /** Renders each record as a card instead of a table row. */
  card?: (row: RecordOf<Path>) => ComponentChildren
  keyOf: (row: RecordOf<Path>) => string | number
  filters?: readonly Filter[]
  /** Filters that the view renders and adds to `query`, with their URL parameters. */
  ownFilters?: { names: readonly string[]; fields: ComponentChildren }
  /** Fixed query parameters. */
  query?: Record<string, unknown>
  pathParams?: Record<string, number>
  /** Bulk actions for the selected rows. */
  actions?: (rows: readonly RecordOf<Path>[], clear: () => void) => ComponentChildren
  nameOf?: (row: RecordOf<Path>) => string
  /** Page size; default 25. */
  size?: number
  /** Prefix of the URL parameters, for a page with several lists. */
  prefix?: string
  /** What an empty list says, and what to do about it; a text alone, if there is nothing to do. */
  empty?: EmptyContent | string
  /** Renders content of the response above the table. */
  children?: (answer: DataOf<Path, "get">) => ComponentChildren
}

const NOTHING_SELECTED: ReadonlySet<string | number> = new Set()

/** Other years are still being typed. */
const DATE_RANGE = { min: "1900-01-01", max: "9999-12-31" }

interface FilterFieldProps {
  filter: Filter
  value: string
  onChange: (text: string) => void
}

/** A field of a filter, which applies when the user stops typing. */
export function FilterField({ filter, value, onChange }: FilterFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(value)
  /** What the URL has, or is about to have: later input must not be replaced by it. */
  const applied = useRef(value)
  useEffect(() => {
    if (value === applied.current) return
    applied.current = value
    setText(value)
  }, [value])
  useEffect(() => {
    if (text === applied.current) return
    const timer = setTimeout(() => {
      if (!input.current?.validity.valid) return
      applied.current = text
      onChange(text)
    }, SEARCH_DELAY_MS)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div class="field">
      <label for={id}>{filter.label}</label>
      {filter.options ? (
        <select id={id} onChange={(event) => onChange(event.currentTarget.value)}>
          <option value="" selected={value === ""}>
            {t("any")}
          </option>
          {filter.options.map((option) => (
            <option key={option.value} value={option.value} selected={String(option.value) === value}>
              {option.label}
            </option>
          ))}
        </select>
      ) : (
        <input
          ref={input}
          id={id}
          type={filter.type ?? "search"}
          {...(filter.type === "date" && DATE_RANGE)}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
    </div>
  )
}

/**
 * A list with filters, order, pages and bulk actions. The URL stores all of its state except the selection.
 */
export function Listing<Path extends ListPath>(props: ListingProps<Path>) {
  const {
    path,
    caption,
    columns = [],
    card,
    keyOf,
    filters = [],
    actions,
    nameOf,
    size = PAGE_SIZE,
    prefix = "",
  } = props
  const { query: urlState, change } = useUrlState()
  const [selection, setSelection] = useState<{ list: string; keys: ReadonlySet<string | number> }>()
  const [clearCount, setClearCount] = useState(0)
  const paramName = (name: string) => `${prefix}${name}`
  const sorting = { by: urlState[paramName("sort")], descending: urlState[paramName("order")] === "desc" }

  const search: Record<string, unknown> = {}
  const queryParams: Record<string, unknown> = {}
  for (const { name, toApi, isQueryParam, partOf } of filters) {
    const value = urlState[paramName(name)]
    if (value && !partOf) (isQueryParam ? queryParams : search)[name] = toApi ? toApi(value) : value
  }
  for (const member of new Set(filters.flatMap(({ partOf }) => partOf ?? []))) {
    const parts = filters.filter(({ partOf }) => partOf === member).map(({ name }) => urlState[paramName(name)] ?? "")
    if (parts.some(Boolean)) search[member] = parts.join(",")
  }
  const fixed = props.query ?? {}
  const query = {
    ...fixed,
    ...queryParams,
    search_param: { ...(fixed.search_param as object | undefined), ...search },
    ...(sorting.by && { order_by: { colName: sorting.by, direction: sorting.descending ? "desc" : "asc" } }),
  }
  if (Object.keys(query.search_param).length === 0) Reflect.deleteProperty(query, "search_param")
  const pathParams = props.pathParams ? { pathParams: props.pathParams } : {}
  const page = useListPage(path, { query, ...pathParams, page: urlState[paramName("page")], size })
  // All records of the last page were deleted.
  const isBeyondEnd = page.data?.records.length === 0 && !page.isFetching && Boolean(urlState[paramName("page")])
  useEffect(() => {
    if (isBeyondEnd) change({ [paramName("page")]: "" }, { replace: true })
  }, [isBeyondEnd])
  // Actions apply to rows that are shown: another page, filter or order starts without a selection.
  const list = JSON.stringify([path, query, urlState[paramName("page")]])
  const selected = selection?.list === list ? selection.keys : NOTHING_SELECTED
  const setSelected = (keys: ReadonlySet<string | number>) => setSelection({ list, keys })

  /** Changes filters or order, and goes to the first page. */
  const updateList = (params: Record<string, string | undefined>, replace = false) =>
    change(
      {
        ...Object.fromEntries(Object.entries(params).map(([key, value]) => [paramName(key), value])),
        [paramName("page")]: "",
      },
      { replace },
    )
  const { empty = t("list.empty") } = props
  const emptyContent = typeof empty === "string" ? { icon: Inbox, text: empty } : empty
  const clear = () => setSelected(NOTHING_SELECTED)
  const clearFilters = () => {
    updateList(Object.fromEntries(filterNames.map((name) => [name, undefined])))
    // Input that is not in the URL yet.
    setClearCount(clearCount + 1)
  }
  const ownNames = props.ownFilters?.names ?? []
  const filterNames = [...ownNames, ...filters.map(({ name }) => name)]
  const isFiltered =
    Object.keys(search).length + Object.keys(queryParams).length > 0 ||
    ownNames.some((name) => urlState[paramName(name)])
  return (
    <section class="listing" aria-label={caption}>
      {filterNames.length > 0 && (
        <search class="filters">
          {filters.map((filter) => (
            <FilterField
              key={`${filter.name} ${clearCount}`}
              filter={filter}
              value={urlState[paramName(filter.name)] ?? ""}
              onChange={(text) => updateList({ [filter.name]: text }, true)}
            />
          ))}
          {props.ownFilters?.fields}
          {isFiltered && (
            <button type="button" class="plain" onClick={clearFilters}>
              {t("filters.clear")}
            </button>
          )}
        </search>
      )}
      <Loaded query={page}>
        {({ records, recordsTotal, recordsFiltered, next, previous, answer }) => (
          <div aria-busy={page.isFetching}>
            {props.children?.(answer)}
            <div class="list-head">
              <p role="status">
                {recordsFiltered === recordsTotal
                  ? t("count.total", { count: recordsTotal, shown: number(recordsTotal) })
                  : t("count.found", {
                      count: recordsFiltered,
                      shown: number(recordsFiltered),
                      of: number(recordsTotal),
                    })}
              </p>
              {actions && selected.size > 0 && (
                <div class="actions">
                  <span>{t("select.count", { count: selected.size, shown: number(selected.size) })}</span>
                  {actions(
                    records.filter((row) => selected.has(keyOf(row))),
                    clear,
                  )}
                </div>
              )}
            </div>
            {records.length === 0 ? (
              <EmptyState {...(isFiltered ? { icon: SearchX, text: t("list.no-results") } : emptyContent)} />
            ) : card ? (
              <ul class="cards">
                {records.map((row) => (
                  <li class="card" key={keyOf(row)}>
                    {card(row)}
                  </li>
                ))}
              </ul>
            ) : (
              <Table
                caption={caption}
                columns={typeof columns === "function" ? columns(answer) : columns}
                rows={records}
                keyOf={keyOf}
                sorting={sorting}
                onSort={(by) =>
                  updateList({ sort: by, order: sorting.by === by && !sorting.descending ? "desc" : undefined })
                }
                {...(actions && { selected, onSelect: setSelected })}
                {...(nameOf && { nameOf })}
              />
            )}
            {(next || previous) && (
              <nav class="pager" aria-label={t("pages.of", { list: caption })}>
                <button type="button" disabled={!previous} onClick={() => change({ [paramName("page")]: previous })}>
                  {t("pages.previous")}
                </button>
                <button type="button" disabled={!next} onClick={() => change({ [paramName("page")]: next })}>
                  {t("pages.next")}
                </button>
              </nav>
            )}
          </div>
        )}
      </Loaded>
    </section>
  )
}
