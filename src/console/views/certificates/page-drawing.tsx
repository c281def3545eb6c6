import type { ComponentChildren } from "preact"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { LINE } from "../../../lib/pdf/text-fitting.ts"
import { boxOf, laidOut, paragraphsOf, prepared, THICKER } from "../../../modules/certificates/certificate-layout.ts"
import { t } from "../../messages/messages.ts"
import type { ScreenFont, ScreenFonts } from "./screen-fonts.ts"
import { type CodePlace, type Draft, type DraftField, onPage, shifted, withField } from "./template-draft.ts"

interface Size {
  width: number
  height: number
}

/** A box on the page. */
interface Box extends Size {
  left: number
  top: number
}

interface Move {
  x: number
  y: number
}

const STEP = 1
const LONG_STEP = 10
const ARROWS: Record<string, Move> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** How far a key moves: an arrow one pixel, with Shift ten. */
function byKey({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): Move | undefined {
  const arrow = altKey || ctrlKey || metaKey ? undefined : ARROWS[key]
  const step = shiftKey ? LONG_STEP : STEP
  return arrow && { x: arrow.x * step, y: arrow.y * step }
}

/**
 * Follows a pointer that drags something over the page.
 * @param scale pixels of the template for one of the screen
 */
function useDragging(scale: number, onMove: (from: Move, to: Move) => void) {
  const start = useRef<Move>()
  const last = useRef<Move>({ x: 0, y: 0 })
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

interface HeldProps {
  box: Box
  name: string
  /** What it is, and where. */
  label: string
  isChosen: boolean
  scale: number
  onChoose: () => void
  /** @param about which drag it belongs to: one drag is one step back */
  onMove: (by: Move) => void
  onResize: (by: Move) => void
  onRemove?: () => void
  /** Goes to its fields. */
  onEnter: () => void
  children: ComponentChildren
}

/** Pixels of the screen that a corner to pull has on each side. */
const CORNER = 16

/** Something on the page that is moved and resized, by pointer and by keyboard. */
function Held({
  box,
  name,
  label,
  isChosen,
  scale,
  onChoose,
  onMove,
  onResize,
  onRemove,
  onEnter,
  children,
}: HeldProps) {
  const moving = useDragging(scale, (from, to) => onMove({ x: to.x - from.x, y: to.y - from.y }))
  const pulling = useDragging(scale, (from, to) => onResize({ x: to.x - from.x, y: to.y - from.y }))
  const press = (act: (by: Move) => void) => (event: KeyboardEvent) => {
    const by = byKey(event)
    if (by) act(by)
    else if (event.key === "Delete" && onRemove) onRemove()
    else if (event.key === "Enter") onEnter()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const corner = CORNER * scale
  const { left, top, width, height } = box
  return (
    <g>
      {/* biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of its own */}
      <g
        class="held"
        role="button"
        tabindex={0}
        aria-label={label}
        aria-pressed={isChosen}
        onFocus={onChoose}
        onClick={onChoose}
        onKeyDown={press(onMove)}
        {...moving}
      >
        <rect class="box" x={left} y={top} width={width} height={height} vector-effect="non-scaling-stroke" />
        {children}
      </g>
      {isChosen && (
        // biome-ignore lint/a11y/useSemanticElements: a drawing has no buttons of its own
        <rect
          class="corner"
          role="button"
          tabindex={0}
          aria-label={t("certificates:resize", { name })}
          x={left + width - corner / 2}
          y={top + height - corner / 2}
          width={corner}
          height={corner}
          vector-effect="non-scaling-stroke"
          onKeyDown={press(onResize)}
          {...pulling}
        />
      )}
    </g>
  )
}

/** A text as it is laid out: in the PDF it is the same. */
function useLines(field: DraftField, text: string, beside: string, page: Size, fonts: ScreenFonts) {
  const { left, top, width, height, font_size, font_family, align_center } = field
  return useMemo(() => {
    const paragraphs = paragraphsOf(text).map((paragraph) => fonts.clustersOf(paragraph, font_family, beside))
    return laidOut(paragraphs, field, page)
  }, [
    left,
    top,
    width,
    height,
    font_size,
    font_family,
    align_center,
    text,
    beside,
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

/** A line, run by run, each where the PDF has it. */
function DrawnLine({ line, size, color }: { line: Line; size: number; color: string }) {
  let { x } = line
  return line.runs.map(({ text, font, rightToLeft }, at) => {
    const from = x
    x += font.widthOf(text, rightToLeft) * size
    return (
      <text
        key={at}
        class={font.plain ? "run plain" : "run"}
        x={from}
        y={line.baseline}
        font-family={font.family}
        font-size={size}
        fill={color}
        direction={rightToLeft ? "rtl" : "ltr"}
        text-anchor={rightToLeft ? "end" : "start"}
        unicode-bidi="bidi-override"
        {...(font.thick && { stroke: color, "stroke-width": size * THICKER })}
      >
        {text}
      </text>
    )
  })
}

interface TextProps {
  field: DraftField
  /** What it prints. */
  text: string
  beside: string
  /** What it is called. */
  name: string
  page: Size
  fonts: ScreenFonts
  isChosen: boolean
  scale: number
  onChoose: () => void
  onChange: (next: (field: DraftField) => DraftField, about: string) => void
  onRemove: () => void
  onEnter: () => void
}

function DrawnText({ field, text, beside, name, page, fonts, isChosen, scale, ...acts }: TextProps) {
  const words = prepared(text)
  const { lines, size } = useLines(field, words, beside, page, fonts)
  const whole = boxOf(field, page)
  const height = field.height === 0 ? Math.min(lines.length * LINE * size, whole.height) : whole.height
  const box = { left: field.left, top: field.top, width: whole.width, height }
  return (
    <Held
      box={box}
      name={name}
      label={t("certificates:box", { name, words, left: field.left, top: field.top })}
      isChosen={isChosen}
      scale={scale}
      onChoose={acts.onChoose}
      onMove={(by) => acts.onChange((field) => shifted(field, by, page), `move ${field.uid}`)}
      onResize={(by) =>
        acts.onChange(
          (field) => ({
            ...field,
            width: Math.max(1, Math.round((field.width || box.width) + by.x)),
            height: Math.max(1, Math.round((field.height || box.height) + by.y)),
          }),
          `resize ${field.uid}`,
        )
      }
      onRemove={acts.onRemove}
      onEnter={acts.onEnter}
    >
      {words !== "" && lines.map((line, at) => <DrawnLine key={at} line={line} size={size} color={field.font_color} />)}
    </Held>
  )
}

interface CodeProps {
  place: CodePlace
  squares: readonly (readonly boolean[])[]
  margin: number
  hasGround: boolean
  page: Size
  isChosen: boolean
  scale: number
  onChoose: () => void
  onChange: (next: (place: CodePlace) => CodePlace, about: string) => void
  onEnter: () => void
}

/** The QR code, of the same squares as the PDF's. */
function DrawnCode({
  place,
  squares,
  margin,
  hasGround,
  page,
  isChosen,
  scale,
  onChoose,
  onChange,
  onEnter,
}: CodeProps) {
  const { left, top, size } = place
  const path = useMemo(
    () =>
      squares.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + margin} ${y + margin}h1v1h-1z` : ""))).join(""),
    [squares, margin],
  )
  const side = squares.length + 2 * margin
  return (
    <Held
      box={{ left, top, width: size, height: size }}
      name={t("certificates:code")}
      label={t("certificates:box.code", { left, top })}
      onEnter={onEnter}
      isChosen={isChosen}
      scale={scale}
      onChoose={onChoose}
      onMove={(by) => onChange((place) => onPage(shifted(place, by, page), page), "move code")}
      onResize={(by) =>
        onChange((place) => onPage({ ...place, size: place.size + (by.x || by.y) }, page), "resize code")
      }
    >
      {hasGround && <rect x={left} y={top} width={size} height={size} fill="#ffffff" />}
      <path d={path} transform={`translate(${left} ${top}) scale(${size / side})`} fill="#000000" />
    </Held>
  )
}

/** How many pixels of the template one pixel of the screen is. */
function useScale(width: number) {
  const svg = useRef<SVGSVGElement>(null)
  const [scale, setScale] = useState(1)
  useEffect(() => {
    const element = svg.current
    if (!element) return
    const measure = () => {
      const shown = element.getBoundingClientRect().width
      if (shown > 0) setScale(width / shown)
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
  /** What each field prints, and what it is called. */
  wordsOf: (field: DraftField) => string
  nameOf: (field: DraftField) => string
  code: { squares: readonly (readonly boolean[])[]; margin: number }
  /** The uid of the chosen text, or the code. */
  chosen: number | "code" | undefined
  onChoose: (chosen: number | "code") => void
  onChange: (next: (draft: Draft) => Draft, about: string) => void
  onRemove: (uid: number) => void
  onEnter: () => void
}

/** A template's page, as it is printed, whose texts are moved and resized in it. */
export function PageDrawing({
  draft,
  fonts,
  wordsOf,
  nameOf,
  code,
  chosen,
  onChoose,
  onChange,
  onRemove,
  onEnter,
}: PageDrawingProps) {
  const { svg, scale } = useScale(draft.width)
  const beside = draft.fields.map((field) => prepared(wordsOf(field))).join("\n")
  const page = { width: draft.width, height: draft.height }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset
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
        <DrawnText
          key={field.uid}
          field={field}
          text={wordsOf(field)}
          name={nameOf(field)}
          beside={beside}
          page={page}
          fonts={fonts}
          scale={scale}
          isChosen={chosen === field.uid}
          onChoose={() => onChoose(field.uid)}
          onChange={(next, about) => onChange((draft) => withField(draft, field.uid, next), about)}
          onRemove={() => onRemove(field.uid)}
          onEnter={onEnter}
        />
      ))}
      {draft.qr_code.show && (
        <DrawnCode
          place={draft.qr_code}
          {...code}
          hasGround={draft.bg_url !== ""}
          page={page}
          scale={scale}
          isChosen={chosen === "code"}
          onChoose={() => onChoose("code")}
          onChange={(next, about) => onChange((draft) => ({ ...draft, qr_code: next(draft.qr_code) }), about)}
          onEnter={onEnter}
        />
      )}
    </svg>
  )
}
