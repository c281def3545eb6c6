import type { ComponentChildren } from "preact"
import { useEffect, useId, useState } from "preact/hooks"
import type { DataOf, ListPath, RecordOf } from "../../client/index.ts"
import { useListPage } from "../api/queries.ts"
import { number, t } from "../messages/messages.ts"
import { TYPING_PAUSE } from "./choice.ts"
import { Loaded } from "./error-message.tsx"
import type { Options } from "./form.tsx"
import { type Column, Table } from "./table.tsx"
import { useAddress } from "./url-state.ts"

/** A field by which a list is searched. */
export interface Filter {
  /** The member of the API's search_param, and of the address. */
  name: string
  label: string
  /** What can be chosen; left out: text, searched as one types. */
  options?: Options
  /** The input's type: `search` unless told, `date`, `month`. */
  type?: string
  /** As the API takes it; left out: the text itself. */
  toApi?: (value: string) => unknown
  /** A member of the query itself, not of search_param. */
  plain?: boolean
  /** Two filters of one member, such as the first and the last day: it has their values, separated by commas. */
  of?: string
}

interface ListingProps<Path extends ListPath> {
  path: Path
  /** What the list holds. */
  caption: string
  columns?: readonly Column<RecordOf<Path>>[]
  /** Each record as a card, instead of a row of columns. */
  card?: (row: RecordOf<Path>) => ComponentChildren
  keyOf: (row: RecordOf<Path>) => string | number
  filters?: readonly Filter[]
  /** What is asked beside the filters. */
  query?: Record<string, unknown>
  /** What stands in the gaps of the path. */
  names?: Record<string, number>
  /** What can be done with the rows that are chosen. */
  actions?: (rows: readonly RecordOf<Path>[], clear: () => void) => ComponentChildren
  nameOf?: (row: RecordOf<Path>) => string
  /** Records on a page; 25 unless told. */
  size?: number
  /** Set where a page has several lists: it goes before the names in the address. */
  prefix?: string
  /** What stands where nothing is found. */
  empty?: string
  /** Above the table, of all that was answered, once it is there. */
  children?: (answer: DataOf<Path, "get">) => ComponentChildren
}

/** One filter; text is searched when the typing pauses. */
function FilterField({ filter, value, onChange }: { filter: Filter; value: string; onChange: (text: string) => void }) {
  const id = useId()
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  useEffect(() => {
    if (text === value) return
    const timer = setTimeout(() => onChange(text), TYPING_PAUSE)
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
          id={id}
          type={filter.type ?? "search"}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      )}
    </div>
  )
}

/**
 * A list of the API with its search, its order, its pages and what can be done with chosen rows. The address holds all
 * of it but the choice.
 */
export function Listing<Path extends ListPath>(props: ListingProps<Path>) {
  const { path, caption, columns = [], card, keyOf, filters = [], actions, nameOf, size = 25, prefix = "" } = props
  const { query: address, change } = useAddress()
  const [chosen, choose] = useState<ReadonlySet<string | number>>(new Set())
  const named = (name: string) => `${prefix}${name}`
  const sorting = { by: address[named("sort")], descending: address[named("order")] === "desc" }

  const search: Record<string, unknown> = {}
  const plain: Record<string, unknown> = {}
  for (const { name, toApi, plain: isPlain, of } of filters) {
    const value = address[named(name)]
    if (value && !of) (isPlain ? plain : search)[name] = toApi ? toApi(value) : value
  }
  for (const member of new Set(filters.flatMap(({ of }) => of ?? []))) {
    const parts = filters.filter(({ of }) => of === member).map(({ name }) => address[named(name)] ?? "")
    if (parts.some(Boolean)) search[member] = parts.join(",")
  }
  const fixed = props.query ?? {}
  const query = {
    ...fixed,
    ...plain,
    search_param: { ...(fixed.search_param as object | undefined), ...search },
    ...(sorting.by && { order_by: { colName: sorting.by, direction: sorting.descending ? "desc" : "asc" } }),
  }
  if (Object.keys(query.search_param).length === 0) Reflect.deleteProperty(query, "search_param")
  const names = props.names ? { names: props.names } : {}
  const page = useListPage(path, { query, ...names, at: address[named("page")], size })

  /** Whatever is asked differently begins at its first page. */
  const ask = (members: Record<string, string | undefined>, replace = false) =>
    change(
      {
        ...Object.fromEntries(Object.entries(members).map(([key, value]) => [named(key), value])),
        [named("page")]: "",
      },
      { replace },
    )
  const clear = () => choose(new Set())
  const isSearched = Object.keys(search).length + Object.keys(plain).length > 0
  return (
    <section class="listing" aria-label={caption}>
      {filters.length > 0 && (
        <search class="filters">
          {filters.map((filter) => (
            <FilterField
              key={filter.name}
              filter={filter}
              value={address[named(filter.name)] ?? ""}
              onChange={(text) => ask({ [filter.name]: text }, true)}
            />
          ))}
          {isSearched && (
            <button
              type="button"
              class="plain"
              onClick={() => ask(Object.fromEntries(filters.map(({ name }) => [name, undefined])))}
            >
              {t("filters.clear")}
            </button>
          )}
        </search>
      )}
      <Loaded of={page}>
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
              {actions && chosen.size > 0 && (
                <div class="actions">
                  <span>{t("select.count", { count: chosen.size, shown: number(chosen.size) })}</span>
                  {actions(
                    records.filter((row) => chosen.has(keyOf(row))),
                    clear,
                  )}
                </div>
              )}
            </div>
            {records.length === 0 ? (
              <p class="empty">{isSearched ? t("list.no-results") : (props.empty ?? t("list.empty"))}</p>
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
                columns={columns}
                rows={records}
                keyOf={keyOf}
                sorting={sorting}
                onSort={(by) => ask({ sort: by, order: sorting.by === by && !sorting.descending ? "desc" : undefined })}
                {...(actions && { chosen, onChoose: choose })}
                {...(nameOf && { nameOf })}
              />
            )}
            {(next || previous) && (
              <nav class="pager" aria-label={t("pages.of", { list: caption })}>
                <button type="button" disabled={!previous} onClick={() => change({ [named("page")]: previous })}>
                  {t("pages.previous")}
                </button>
                <button type="button" disabled={!next} onClick={() => change({ [named("page")]: next })}>
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
