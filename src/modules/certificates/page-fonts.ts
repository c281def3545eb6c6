import type { TemplateField } from "../../../drizzle/schema/certificates.ts"
import type { Cluster, Face, FontCatalog } from "../../lib/pdf/font-catalog.ts"
import type { Measure } from "../../lib/pdf/text-fitting.ts"
import { layOutField, resolveFaces, splitParagraphs } from "./certificate-layout.ts"

/** The fonts of one document, each loaded once. */
export class PageFonts<F extends Measure> {
  readonly all: F[] = []
  /** Characters that no font has. */
  readonly missing = new Set<string>()
  private readonly byFace = new Map<Face, Promise<F>>()
  private readonly catalog: FontCatalog
  private readonly documentText: string
  private readonly load: (face: Face, number: number) => Promise<F>

  /** @param load loads a font. `number`: its number in the document, from 0 */
  constructor(catalog: FontCatalog, documentText: string, load: (face: Face, number: number) => Promise<F>) {
    this.catalog = catalog
    this.documentText = documentText
    this.load = load
  }

  /** Returns the lines of a normalized text, and the size at which they fit their box. */
  async layOut({ field, text }: { field: TemplateField; text: string }, page: { width: number; height: number }) {
    const paragraphs: Cluster<F>[][] = []
    for (const paragraph of splitParagraphs(text)) paragraphs.push(await this.clustersOf(paragraph, field.font_family))
    return layOutField(paragraphs, field, page)
  }

  /** Returns the clusters of a text, each with a font that has it. */
  private async clustersOf(text: string, family: string): Promise<Cluster<F>[]> {
    const clusters: Cluster<F>[] = []
    for (const { text: cluster, font } of resolveFaces(this.catalog, text, family, this.documentText, this.missing))
      clusters.push({ text: cluster, font: await this.fontOf(font) })
    return clusters
  }

  private fontOf(face: Face): Promise<F> {
    const font = this.byFace.get(face) ?? this.add(face, this.byFace.size)
    this.byFace.set(face, font)
    return font
  }

  private async add(face: Face, number: number): Promise<F> {
    const font = await this.load(face, number)
    this.all.push(font)
    return font
  }
}
