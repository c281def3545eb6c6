import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { announce } from "../api/announce.ts"
import { number, t } from "../messages/messages.ts"

interface OrderedProps<Item> {
  /** What is in order. */
  label: string
  items: readonly Item[]
  keyOf: (item: Item) => string | number
  nameOf: (item: Item) => string
  onOrder: (items: Item[]) => void
  children: (item: Item, place: number) => ComponentChildren
}

/** A list whose order is changed by dragging, and by the buttons of each row. */
export function Ordered<Item>({ label, items, keyOf, nameOf, onOrder, children }: OrderedProps<Item>) {
  const list = useRef<HTMLOListElement>(null)
  /** The button that was pressed: it keeps the focus when its row has moved. */
  const pressed = useRef<{ place: number; direction: "up" | "down" }>()

  const move = (from: number, to: number) => {
    const item = items[from]
    if (item === undefined || from === to || to < 0 || to >= items.length) return
    const next = items.toSpliced(from, 1).toSpliced(to, 0, item)
    announce(t("order.moved", { name: nameOf(item), place: number(to + 1), of: number(next.length) }))
    onOrder(next)
  }
  const latest = useRef(move)
  latest.current = move

  useEffect(() => {
    const element = list.current
    if (!element) return
    let left = false
    let end = () => {}
    import("sortablejs").then(({ default: Sortable }) => {
      if (left) return
      const sortable = Sortable.create(element, {
        handle: ".handle",
        draggable: "li",
        ghostClass: "dragged",
        animation: 120,
        onEnd({ item, oldIndex = 0, newIndex = 0 }) {
          // The row goes back to where it was: the list is drawn anew from its order.
          item.remove()
          element.insertBefore(item, element.children[oldIndex] ?? null)
          latest.current(oldIndex, newIndex)
        },
      })
      end = () => sortable.destroy()
    })
    return () => {
      left = true
      end()
    }
  }, [])
  useLayoutEffect(() => {
    if (!pressed.current) return
    const { place, direction } = pressed.current
    pressed.current = undefined
    const row = list.current?.children[place]
    const usable = (name: string) => row?.querySelector<HTMLButtonElement>(`:scope > .moves > .${name}:not(:disabled)`)
    const button = usable(direction) ?? usable(direction === "up" ? "down" : "up")
    button?.focus()
  })

  const step = (place: number, direction: "up" | "down") => {
    const to = direction === "up" ? place - 1 : place + 1
    pressed.current = { place: to, direction }
    move(place, to)
  }
  return (
    <ol class="ordered" ref={list} aria-label={label}>
      {items.map((item, place) => (
        <li key={keyOf(item)}>
          <span class="handle" aria-hidden="true">
            ⠿
          </span>
          <div class="what">{children(item, place)}</div>
          <div class="actions moves">
            {(["up", "down"] as const).map((direction) => (
              <button
                key={direction}
                type="button"
                class={direction}
                disabled={direction === "up" ? place === 0 : place === items.length - 1}
                aria-label={t(`order.${direction}`, { name: nameOf(item) })}
                onClick={() => step(place, direction)}
              >
                {direction === "up" ? "↑" : "↓"}
              </button>
            ))}
          </div>
        </li>
      ))}
    </ol>
  )
}
