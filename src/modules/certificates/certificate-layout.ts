import type { Catalog, Cluster, Face } from "../../lib/pdf/font-catalog.ts"
import { BASELINE, fitted, LINE, type Measure, widthOf } from "../../lib/pdf/text-fitting.ts"
import { type Run, visualRuns } from "../../lib/pdf/text-runs.ts"

// Where a certificate's texts stand on its page: in the PDF, and in the console's drawing of it.

/** How much thicker letters are drawn where there is no bold font, in sizes of the font. */
export const THICKER = 0.03
/** What stands for a letter that no font has. */
const NO_GLYPH = "□"

/** A text as it is drawn: a soft hyphen shows where a line ends within a word, which none does here. */
export const prepared = (text: string) => text.normalize("NFC").replace(/\r\n?/g, "\n").replaceAll("\u00ad", "").trim()

/** The paragraphs of a prepared text, each without more than one space together. */
export const paragraphsOf = (text: string) => text.split("\n").map((paragraph) => paragraph.replace(/\s+/g, " "))

/**
 * A text's clusters, each with the face that draws it. What no font has is a box, and noted.
 * @param beside all that is printed
 * @param missing takes the letters that no font has
 */
export function facesOf(
  catalog: Catalog,
  text: string,
  family: string,
  beside: string,
  missing = new Set<string>(),
): Cluster<Face>[] {
  const drawn = ({ text, font }: Cluster<Face | undefined>) => (font ? [{ text, font }] : [])
  return catalog.clustersOf(text, family, beside).flatMap((cluster) => {
    if (cluster.font) return drawn(cluster)
    missing.add(cluster.text)
    return catalog.clustersOf(NO_GLYPH, family, beside).flatMap(drawn)
  })
}

/** A field's place, in pixels of the template. */
interface Place {
  left: number
  top: number
  /** 0: to the page's right edge. */
  width: number
  /** 0: to the page's bottom edge. */
  height: number
  font_size: number
  align_center: boolean
}

/** A line where it is drawn: its left end and its baseline, in pixels from the page's left and top edges. */
interface PlacedLine<F> {
  runs: Run<F>[]
  x: number
  baseline: number
  width: number
}

/** The box of a field as far as it lies on the page. */
export const boxOf = (field: Place, page: { width: number; height: number }) => ({
  width: Math.min(field.width || page.width, page.width - field.left),
  height: Math.min(field.height || page.height, page.height - field.top),
})

/** The lines of a field's paragraphs, and the size of the font at which they fit its box. */
export function laidOut<F extends Measure>(
  paragraphs: readonly Cluster<F>[][],
  field: Place,
  page: { width: number; height: number },
): { lines: PlacedLine<F>[]; size: number } {
  const box = boxOf(field, page)
  const { lines, size } = fitted(paragraphs, field.font_size, box)
  return {
    size,
    lines: lines.map(({ clusters, fromRight }, i) => {
      const width = widthOf(clusters, fromRight) * size
      const spare = Math.max(0, box.width - width)
      return {
        runs: visualRuns(clusters, fromRight),
        x: field.left + (field.align_center ? spare / 2 : fromRight ? spare : 0),
        baseline: field.top + (BASELINE + i * LINE) * size,
        width,
      }
    }),
  }
}
