import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { normalizeFieldText } from "../../../modules/certificates/certificate-layout.ts"
import { t } from "../../messages/messages.ts"
import { Draggable, type Size } from "./draggable.tsx"
import type { ScreenFonts } from "./screen-fonts.ts"
import {
  clampToPage,
  type Draft,
  type DraftField,
  type QrCodePosition,
  translate,
  updateField,
} from "./template-draft.ts"
import { TextBox } from "./text-box.tsx"

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
