import type { Cluster, Face, FontCatalog } from "../../lib/pdf/font-catalog.ts"
import { BASELINE, fitText, LINE_HEIGHT, type Measure, widthOf } from "../../lib/pdf/text-fitting.ts"
import { type Run, visualRuns } from "../../lib/pdf/text-runs.ts"

// The layout of a certificate's fields, for the PDF and for the console's preview.

/** The stroke that makes characters bold where there is no bold font, in em. */
export const FAKE_BOLD_WIDTH = 0.03
/** Replaces a character that no font has. */
const MISSING_CHARACTER = "□"

/** Removes what is not drawn. Lines never break within a word, so soft hyphens are never visible. */
export const normalizeFieldText = (text: string) =>
  text.normalize("NFC").replace(/\r\n?/g, "\n").replaceAll("\u00ad", "").trim()

/** Splits a normalized text into paragraphs, and collapses white space. */
export const splitParagraphs = (text: string) => text.split("\n").map((paragraph) => paragraph.replace(/\s+/g, " "))

/**
 * Returns the clusters of a text, each with the face that draws it. Characters that no font has become boxes.
 * @param documentText all text of the certificate
 * @param missing collects the characters that no font has
 */
export function resolveFaces(
  catalog: FontCatalog,
  text: string,
  family: string,
  documentText: string,
  missing = new Set<string>(),
): Cluster<Face>[] {
  const withFace = ({ text, font }: Cluster<Face | undefined>) => (font ? [{ text, font }] : [])
  return catalog.clustersOf(text, family, documentText).flatMap((cluster) => {
    if (cluster.font) return withFace(cluster)
    missing.add(cluster.text)
    return catalog.clustersOf(MISSING_CHARACTER, family, documentText).flatMap(withFace)
  })
}

/** The position and style of a field, in pixels of the template. */
interface FieldBox {
  left: number
  top: number
  /** 0 reaches to the page's right edge. */
  width: number
  /** 0 reaches to the page's bottom edge. */
  height: number
  font_size: number
  align_center: boolean
}

/** A line with its left end and baseline, in pixels from the page's left and top edges. */
interface PositionedLine<F> {
  runs: Run<F>[]
  x: number
  baseline: number
  width: number
}

/** The part of a field's box that is on the page. */
export const boxOf = (field: FieldBox, page: { width: number; height: number }) => ({
  width: Math.min(field.width || page.width, page.width - field.left),
  height: Math.min(field.height || page.height, page.height - field.top),
})

/** Returns the lines of a field's paragraphs and the font size at which they fit its box. */
export function layOutField<F extends Measure>(
  paragraphs: readonly Cluster<F>[][],
  field: FieldBox,
  page: { width: number; height: number },
): { lines: PositionedLine<F>[]; size: number } {
  const box = boxOf(field, page)
  const { lines, size } = fitText(paragraphs, field.font_size, box)
  return {
    size,
    lines: lines.map(({ clusters, rightToLeft }, i) => {
      const width = widthOf(clusters, rightToLeft) * size
      const remaining = Math.max(0, box.width - width)
      return {
        runs: visualRuns(clusters, rightToLeft),
        x: field.left + (field.align_center ? remaining / 2 : rightToLeft ? remaining : 0),
        baseline: field.top + (BASELINE + i * LINE_HEIGHT) * size,
        width,
      }
    }),
  }
}
