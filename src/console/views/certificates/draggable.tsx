import type { ComponentChildren } from "preact"
import { useRef } from "preact/hooks"
import { t } from "../../messages/messages.ts"

export interface Size {
  width: number
  height: number
}

interface Box extends Size {
  left: number
  top: number
}

interface Offset {
  x: number
  y: number
}

const STEP = 1

const LARGE_STEP = 10

const ARROW_KEYS: Record<string, Offset> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** The offset of an arrow key: 1 px, with Shift 10 px. */
function keyOffset({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): Offset | undefined {
  const arrow = altKey || ctrlKey || metaKey ? undefined : ARROW_KEYS[key]
  const step = shiftKey ? LARGE_STEP : STEP
  return arrow && { x: arrow.x * step, y: arrow.y * step }
}

/**
 * Pointer handlers that drag an element.
 * @param scale template pixels per screen pixel
 */
function useDragging(scale: number, onMove: (from: Offset, to: Offset) => void) {
  const start = useRef<Offset>()
  const last = useRef<Offset>({ x: 0, y: 0 })
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || !(event.currentTarget instanceof Element)) return
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = { x: event.clientX, y: event.clientY }
      last.current = { x: 0, y: 0 }
    },
    onPointerMove: (event: PointerEvent) => {
      if (!start.current) return
      const by = {
        x: Math.round((event.clientX - start.current.x) * scale),
        y: Math.round((event.clientY - start.current.y) * scale),
      }
      if (by.x === last.current.x && by.y === last.current.y) return
      onMove(last.current, by)
      last.current = by
    },
    onPointerUp: () => {
      start.current = undefined
    },
    onPointerCancel: () => {
      start.current = undefined
    },
  }
}

interface DraggableProps {
  box: Box
  name: string
  /** Accessible name with the position. */
  label: string
  isSelected: boolean
  scale: number
  onSelect: () => void
  onMove: (by: Offset) => void
  onResize: (by: Offset) => void
  onRemove?: () => void
  /** Moves the focus to the fields of the element. */
  onEnter: () => void
  children: ComponentChildren
}

/** Size of the resize handle in screen pixels. */
const HANDLE_SIZE = 16

/** An element that can be moved and resized by pointer and keyboard. */
export function Draggable({
  box,
  name,
  label,
  isSelected,
  scale,
  onSelect,
  onMove,
  onResize,
  onRemove,
  onEnter,
  children,
}: DraggableProps) {
  const moving = useDragging(scale, (from, to) => onMove({ x: to.x - from.x, y: to.y - from.y }))
  const resizing = useDragging(scale, (from, to) => onResize({ x: to.x - from.x, y: to.y - from.y }))
  const handleKey = (action: (by: Offset) => void) => (event: KeyboardEvent) => {
    const by = keyOffset(event)
    if (by) action(by)
    else if (event.key === "Delete" && onRemove) onRemove()
    else if (event.key === "Enter") onEnter()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const handleSize = HANDLE_SIZE * scale
  const { left, top, width, height } = box
  return (
    <g>
      {/* biome-ignore lint/a11y/useSemanticElements: SVG has no button element */}
      <g
        class="draggable"
        role="button"
        tabindex={0}
        aria-label={label}
        aria-pressed={isSelected}
        onFocus={onSelect}
        onClick={onSelect}
        onKeyDown={handleKey(onMove)}
        {...moving}
      >
        <rect class="box" x={left} y={top} width={width} height={height} vector-effect="non-scaling-stroke" />
        {children}
      </g>
      {isSelected && (
        // biome-ignore lint/a11y/useSemanticElements: SVG has no button element
        <rect
          class="resize-handle"
          role="button"
          tabindex={0}
          aria-label={t("certificates:resize", { name })}
          x={left + width - handleSize / 2}
          y={top + height - handleSize / 2}
          width={handleSize}
          height={handleSize}
          vector-effect="non-scaling-stroke"
          onKeyDown={handleKey(onResize)}
          {...resizing}
        />
      )}
    </g>
  )
}
