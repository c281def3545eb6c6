import type { ComponentChildren } from "preact"
import { t } from "../messages/messages.ts"

export interface Column<Row> {
  /** The column's own name within the table. */
  key: string
  title: string
  render: (row: Row) => ComponentChildren
  /** What the API sorts by; left out: it does not sort by this. */
  sort?: string
  /** Numbers stand at the end of their cell. */
  numeric?: boolean
}

/** What a list is sorted by. */
interface Sorting {
  by: string | undefined
  descending: boolean
}

interface TableProps<Row> {
  /** What the table holds, for whoever does not see it. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  sorting?: Sorting
  onSort?: (by: string) => void
  /** The chosen rows by their keys; with it each row has a box. */
  chosen?: ReadonlySet<string | number>
  onChoose?: (keys: ReadonlySet<string | number>) => void
  /** What a row's box is called. */
  nameOf?: (row: Row) => string
}

/** Where a long word may be broken: in an email address, behind its `@` and its dots. */
const breakable = (content: ComponentChildren): ComponentChildren =>
  typeof content === "string" && content.includes("@")
    ? content.split(/(?<=[@.])/).flatMap((part, at) => (at === 0 ? [part] : [<wbr key={at} />, part]))
    : content

/** Rows of one kind. On a narrow screen each row is a card, whose values carry their columns' titles. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, sorting, onSort, chosen, onChoose, nameOf } = props
  const toggle = (key: string | number) => {
    const next = new Set(chosen)
    if (!next.delete(key)) next.add(key)
    onChoose?.(next)
  }
  const all = rows.length > 0 && rows.every((row) => chosen?.has(keyOf(row)))
  const sortState = (column: Column<Row>) =>
    column.sort && sorting?.by === column.sort ? (sorting.descending ? "descending" : "ascending") : undefined
  return (
    <div class="table-scroll">
      <table class="table">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {onChoose && (
              <th scope="col" class="choice">
                <input
                  type="checkbox"
                  aria-label={t("select.all")}
                  checked={all}
                  onChange={() => onChoose(all ? new Set() : new Set(rows.map(keyOf)))}
                />
              </th>
            )}
            {columns.map((column) => (
              <th
                key={column.key}
                scope="col"
                class={column.numeric ? "numeric" : undefined}
                aria-sort={sortState(column)}
              >
                {column.sort && onSort ? (
                  <button type="button" class="sort" onClick={() => onSort(column.sort ?? "")}>
                    {column.title}
                  </button>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {onChoose && (
                <td class="choice">
                  <input
                    type="checkbox"
                    aria-label={t("select.one", { name: nameOf?.(row) ?? String(keyOf(row)) })}
                    checked={chosen?.has(keyOf(row)) ?? false}
                    onChange={() => toggle(keyOf(row))}
                  />
                </td>
              )}
              {columns.map((column) => (
                <td key={column.key} class={column.numeric ? "numeric" : undefined} data-title={column.title}>
                  {breakable(column.render(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
