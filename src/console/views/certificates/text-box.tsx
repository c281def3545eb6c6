import { useMemo } from "preact/hooks"
import { LINE_HEIGHT } from "../../../lib/pdf/text-fitting.ts"
import {
  boxOf,
  FAKE_BOLD_WIDTH,
  layOutField,
  normalizeFieldText,
  splitParagraphs,
} from "../../../modules/certificates/certificate-layout.ts"
import { t } from "../../messages/messages.ts"
import { Draggable, type Size } from "./draggable.tsx"
import type { ScreenFont, ScreenFonts } from "./screen-fonts.ts"
import { type DraftField, translate } from "./template-draft.ts"

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

export function TextBox({ field, text, allText, name, page, fonts, isSelected, scale, ...handlers }: TextBoxProps) {
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
