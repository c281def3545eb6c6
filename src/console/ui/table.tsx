import type { ComponentChildren } from "preact"
import { t } from "../messages/messages.ts"

export interface Column<Row> {
  key: string
  title: string
  render: (row: Row) => ComponentChildren
  /** Sort key of the API; omit if the column is not sortable. */
  sort?: string
  /** Aligns the values to the end. */
  numeric?: boolean
  /** Stays in place while the table scrolls sideways. */
  sticky?: boolean
  /** On wide screens, stays on one line: `whole` takes the width that it needs, `short` ends with an ellipsis. */
  line?: "whole" | "short"
}

interface Sorting {
  by: string | undefined
  descending: boolean
}

interface TableProps<Row> {
  /** Accessible name. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  sorting?: Sorting
  onSort?: (by: string) => void
  /** Keys of the selected rows. */
  selected?: ReadonlySet<string | number>
  /** If set, each row has a checkbox. */
  onSelect?: (keys: ReadonlySet<string | number>) => void
  /** Accessible name of the checkbox of a row. */
  nameOf?: (row: Row) => string
  /** Its columns fit on a phone: there it stays a table. */
  isNarrow?: boolean
}

/** Allows line breaks in an email address after `@` and dots. */
const withLineBreaks = (content: ComponentChildren): ComponentChildren =>
  typeof content === "string" && content.includes("@")
    ? content.split(/(?<=[@.])/).flatMap((part, index) => (index === 0 ? [part] : [<wbr key={index} />, part]))
    : content

/** Its direction is that of the text, so that an ellipsis replaces the end in a right-to-left page, too. */
const ShortText = ({ content }: { content: ComponentChildren }) => (
  <span class="short" dir="auto" title={typeof content === "string" ? content : undefined}>
    {content}
  </span>
)

const classOf = (column: Pick<Column<never>, "numeric" | "sticky" | "line">, content?: ComponentChildren) => {
  const { numeric, sticky, line } = column
  const names = [numeric && "numeric", sticky && "sticky", content === t("none") ? "nothing" : line === "whole" && line]
  return names.filter(Boolean).join(" ") || undefined
}

/** A table. On narrow screens each row becomes a card with the column titles as labels, unless it fits. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, sorting, onSort, selected, onSelect, nameOf, isNarrow } = props
  const toggle = (key: string | number) => {
    const next = new Set(selected)
    if (!next.delete(key)) next.add(key)
    onSelect?.(next)
  }
  const isAllSelected = rows.length > 0 && rows.every((row) => selected?.has(keyOf(row)))
  const sortState = (column: Column<Row>) =>
    column.sort && sorting?.by === column.sort ? (sorting.descending ? "descending" : "ascending") : undefined
  return (
    <div class="table-scroll">
      <table class={isNarrow ? "table" : "table row-cards"}>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {onSelect && (
              <th scope="col" class="choice">
                <input
                  type="checkbox"
                  aria-label={t("select.all")}
                  checked={isAllSelected}
                  onChange={() => onSelect(isAllSelected ? new Set() : new Set(rows.map(keyOf)))}
                />
              </th>
            )}
            {columns.map((column) => (
              <th key={column.key} scope="col" class={classOf(column)} aria-sort={sortState(column)}>
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
              {onSelect && (
                <td class="choice">
                  <input
                    type="checkbox"
                    aria-label={t("select.one", { name: nameOf?.(row) ?? String(keyOf(row)) })}
                    checked={selected?.has(keyOf(row)) ?? false}
                    onChange={() => toggle(keyOf(row))}
                  />
                </td>
              )}
              {columns.map((column) => {
                const content = column.render(row)
                return (
                  <td key={column.key} class={classOf(column, content)} data-title={column.title}>
                    {column.line === "short" ? <ShortText content={content} /> : withLineBreaks(content)}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
