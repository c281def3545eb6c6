import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { LINE_HEIGHT } from "../../../lib/pdf/text-fitting.ts"
import {
  boxOf,
  FAKE_BOLD_WIDTH,
  layOutField,
  normalizeFieldText,
  splitParagraphs,
} from "../../../modules/certificates/certificate-layout.ts"
import { t } from "../../messages/messages.ts"
import type { ScreenFont, ScreenFonts } from "./screen-fonts.ts"
import {
  clampToPage,
  type Draft,
  type DraftField,
  type QrCodePosition,
  translate,
  updateField,
} from "./template-draft.ts"

interface Size {
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
function Draggable({
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

/** Lays out a text exactly as the PDF does. */
function useTextLayout(field: DraftField, text: string, allText: string, page: Size, fonts: ScreenFonts) {
  const { left, top, width, height, font_size, font_family, align_center } = field
  return useMemo(() => {
    const paragraphs = splitParagraphs(text).map((paragraph) => fonts.clustersOf(paragraph, font_family, allText))
    return layOutField(paragraphs, field, page)
  }, [
    left,
    top,
    width,
    height,
    font_size,
    font_family,
    align_center,
    text,
    allText,
    page.width,
    page.height,
    fonts.version,
  ])
}

interface Line {
  runs: { text: string; font: ScreenFont; rightToLeft: boolean }[]
  x: number
  baseline: number
}

/** A line with each run at its position in the PDF. */
function TextLine({ line, size, color }: { line: Line; size: number; color: string }) {
  let { x } = line
  return line.runs.map(({ text, font, rightToLeft }, index) => {
    const start = x
    x += font.widthOf(text, rightToLeft) * size
    return (
      <text
        key={index}
        class={font.plain ? "run plain" : "run"}
        x={start}
        y={line.baseline}
        font-family={font.family}
        font-size={size}
        fill={color}
        direction={rightToLeft ? "rtl" : "ltr"}
        text-anchor={rightToLeft ? "end" : "start"}
        unicode-bidi="bidi-override"
        {...(font.thick && { stroke: color, "stroke-width": size * FAKE_BOLD_WIDTH })}
      >
        {text}
      </text>
    )
  })
}

interface TextBoxProps {
  field: DraftField
  text: string
  allText: string
  /** Name of the field. */
  name: string
  page: Size
  fonts: ScreenFonts
  isSelected: boolean
  scale: number
  onSelect: () => void
  onChange: (next: (field: DraftField) => DraftField, group: string) => void
  onRemove: () => void
  onEnter: () => void
}

function TextBox({ field, text, allText, name, page, fonts, isSelected, scale, ...handlers }: TextBoxProps) {
  const printedText = normalizeFieldText(text)
  const { lines, size } = useTextLayout(field, printedText, allText, page, fonts)
  const fullBox = boxOf(field, page)
  const height = field.height === 0 ? Math.min(lines.length * LINE_HEIGHT * size, fullBox.height) : fullBox.height
  const box = { left: field.left, top: field.top, width: fullBox.width, height }
  return (
    <Draggable
      box={box}
      name={name}
      label={t("certificates:box", { name, words: printedText, left: field.left, top: field.top })}
      isSelected={isSelected}
      scale={scale}
      onSelect={handlers.onSelect}
      onMove={(by) => handlers.onChange((field) => translate(field, by, page), `move ${field.uid}`)}
      onResize={(by) =>
        handlers.onChange(
          (field) => ({
            ...field,
            width: Math.max(1, Math.round((field.width || box.width) + by.x)),
            height: Math.max(1, Math.round((field.height || box.height) + by.y)),
          }),
          `resize ${field.uid}`,
        )
      }
      onRemove={handlers.onRemove}
      onEnter={handlers.onEnter}
    >
      {printedText !== "" &&
        lines.map((line, index) => <TextLine key={index} line={line} size={size} color={field.font_color} />)}
    </Draggable>
  )
}

interface QrCodeBoxProps {
  position: QrCodePosition
  squares: readonly (readonly boolean[])[]
  margin: number
  hasBackground: boolean
  page: Size
  isSelected: boolean
  scale: number
  onSelect: () => void
  onChange: (next: (position: QrCodePosition) => QrCodePosition, group: string) => void
  onEnter: () => void
}

/** The QR code as in the PDF. */
function QrCodeBox({
  position,
  squares,
  margin,
  hasBackground,
  page,
  isSelected,
  scale,
  onSelect,
  onChange,
  onEnter,
}: QrCodeBoxProps) {
  const { left, top, size } = position
  const path = useMemo(
    () =>
      squares.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + margin} ${y + margin}h1v1h-1z` : ""))).join(""),
    [squares, margin],
  )
  const side = squares.length + 2 * margin
  return (
    <Draggable
      box={{ left, top, width: size, height: size }}
      name={t("certificates:code")}
      label={t("certificates:box.code", { left, top })}
      onEnter={onEnter}
      isSelected={isSelected}
      scale={scale}
      onSelect={onSelect}
      onMove={(by) => onChange((position) => clampToPage(translate(position, by, page), page), "move code")}
      onResize={(by) =>
        onChange((position) => clampToPage({ ...position, size: position.size + (by.x || by.y) }, page), "resize code")
      }
    >
      {hasBackground && <rect x={left} y={top} width={size} height={size} fill="#ffffff" />}
      <path d={path} transform={`translate(${left} ${top}) scale(${size / side})`} fill="#000000" />
    </Draggable>
  )
}

/** Template pixels per screen pixel. */
function useScale(width: number) {
  const svg = useRef<SVGSVGElement>(null)
  const [scale, setScale] = useState(1)
  useEffect(() => {
    const element = svg.current
    if (!element) return
    const measure = () => {
      const screenWidth = element.getBoundingClientRect().width
      if (screenWidth > 0) setScale(width / screenWidth)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [width])
  return { svg, scale }
}

interface PageDrawingProps {
  draft: Draft
  fonts: ScreenFonts
  textFor: (field: DraftField) => string
  nameOf: (field: DraftField) => string
  code: { squares: readonly (readonly boolean[])[]; margin: number }
  /** The uid of the selected text, or "code". */
  selected: number | "code" | undefined
  onSelect: (selected: number | "code") => void
  onChange: (next: (draft: Draft) => Draft, group: string) => void
  onRemove: (uid: number) => void
  onEnter: () => void
}

/** The page of a template as it is printed, with movable and resizable elements. */
export function PageDrawing({
  draft,
  fonts,
  textFor,
  nameOf,
  code,
  selected,
  onSelect,
  onChange,
  onRemove,
  onEnter,
}: PageDrawingProps) {
  const { svg, scale } = useScale(draft.width)
  const allText = draft.fields.map((field) => normalizeFieldText(textFor(field))).join("\n")
  const page = { width: draft.width, height: draft.height }
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no fieldset element
    <svg
      ref={svg}
      class="sheet"
      viewBox={`0 0 ${page.width} ${page.height}`}
      width={page.width}
      height={page.height}
      role="group"
      aria-label={t("certificates:page")}
      aria-describedby="designer-help"
    >
      <rect class="paper" width={page.width} height={page.height} fill="#ffffff" />
      {draft.bg_url && <image href={draft.bg_url} width={page.width} height={page.height} preserveAspectRatio="none" />}
      {draft.fields.map((field) => (
        <TextBox
          key={field.uid}
          field={field}
          text={textFor(field)}
          name={nameOf(field)}
          allText={allText}
          page={page}
          fonts={fonts}
          scale={scale}
          isSelected={selected === field.uid}
          onSelect={() => onSelect(field.uid)}
          onChange={(next, group) => onChange((draft) => updateField(draft, field.uid, next), group)}
          onRemove={() => onRemove(field.uid)}
          onEnter={onEnter}
        />
      ))}
      {draft.qr_code.show && (
        <QrCodeBox
          position={draft.qr_code}
          {...code}
          hasBackground={draft.bg_url !== ""}
          page={page}
          scale={scale}
          isSelected={selected === "code"}
          onSelect={() => onSelect("code")}
          onChange={(next, group) => onChange((draft) => ({ ...draft, qr_code: next(draft.qr_code) }), group)}
          onEnter={onEnter}
        />
      )}
    </svg>
  )
}
