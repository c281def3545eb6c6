import { ArrowDown, ArrowUp, GripVertical } from "lucide-preact"
import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { announce } from "../api/announce.ts"
import { number, t } from "../messages/messages.ts"

interface SortableListProps<Item> {
  /** Accessible name. */
  label: string
  items: readonly Item[]
  keyOf: (item: Item) => string | number
  nameOf: (item: Item) => string
  onReorder: (items: Item[]) => void
  children: (item: Item, index: number) => ComponentChildren
}

/** A list that is reordered by dragging or by buttons. */
export function SortableList<Item>({ label, items, keyOf, nameOf, onReorder, children }: SortableListProps<Item>) {
  const list = useRef<HTMLOListElement>(null)
  /** The button that was clicked: it gets the focus again after its row moved. */
  const clicked = useRef<{ index: number; direction: "up" | "down" }>()

  const move = (from: number, to: number) => {
    const item = items[from]
    if (item === undefined || from === to || to < 0 || to >= items.length) return
    const next = items.toSpliced(from, 1).toSpliced(to, 0, item)
    announce(t("order.moved", { name: nameOf(item), place: number(to + 1), of: number(next.length) }))
    onReorder(next)
  }
  const latest = useRef(move)
  latest.current = move

  useEffect(() => {
    const element = list.current
    if (!element) return
    let isUnmounted = false
    let destroy = () => {}
    import("sortablejs").then(({ default: Sortable }) => {
      if (isUnmounted) return
      const sortable = Sortable.create(element, {
        handle: ".handle",
        draggable: "li",
        ghostClass: "dragged",
        animation: 120,
        onEnd({ item, oldIndex = 0, newIndex = 0 }) {
          // Undoes the move in the DOM: Preact renders the new order.
          item.remove()
          element.insertBefore(item, element.children[oldIndex] ?? null)
          latest.current(oldIndex, newIndex)
        },
      })
      destroy = () => sortable.destroy()
    })
    return () => {
      isUnmounted = true
      destroy()
    }
  }, [])
  useLayoutEffect(() => {
    if (!clicked.current) return
    const { index, direction } = clicked.current
    clicked.current = undefined
    const row = list.current?.children[index]
    const findEnabledButton = (name: string) =>
      row?.querySelector<HTMLButtonElement>(`:scope > .moves > .${name}:not(:disabled)`)
    const button = findEnabledButton(direction) ?? findEnabledButton(direction === "up" ? "down" : "up")
    button?.focus()
  })

  const moveByOne = (index: number, direction: "up" | "down") => {
    const to = direction === "up" ? index - 1 : index + 1
    clicked.current = { index: to, direction }
    move(index, to)
  }
  return (
    <ol class="ordered" ref={list} aria-label={label}>
      {items.map((item, index) => (
        <li key={keyOf(item)}>
          <span class="handle" aria-hidden="true">
            <GripVertical size={18} />
          </span>
          <div class="what">{children(item, index)}</div>
          <div class="actions moves">
            {(["up", "down"] as const).map((direction) => (
              <button
                key={direction}
                type="button"
                class={`icon ${direction}`}
                disabled={direction === "up" ? index === 0 : index === items.length - 1}
                aria-label={t(`order.${direction}`, { name: nameOf(item) })}
                onClick={() => moveByOne(index, direction)}
              >
                {direction === "up" ? <ArrowUp size={18} aria-hidden /> : <ArrowDown size={18} aria-hidden />}
              </button>
            ))}
          </div>
        </li>
      ))}
    </ol>
  )
}
