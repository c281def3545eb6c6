import { useQuery } from "@tanstack/preact-query"
import { useEffect, useMemo, useState } from "preact/hooks"
import { Catalog, type Cluster, type Face, type StandardFont, westernCode } from "../../../lib/pdf/font-catalog.ts"
import type { Measure } from "../../../lib/pdf/text-fitting.ts"
import { mirrored } from "../../../lib/pdf/text-runs.ts"
import { facesOf } from "../../../modules/certificates/certificate-layout.ts"

// The fonts of certificates as the screen has them: the files that PDFs are drawn with, read as they are needed.

const FOLDER = "/assets/fonts"

/** The files that look like the fonts of every reader of PDF, and are as wide. */
const LIKE: Record<StandardFont, readonly string[]> = {
  Helvetica: ["arimo-latin-400", "arimo-latin-ext-400"],
  Courier: ["cousine-latin-400", "cousine-latin-ext-400"],
  "Courier-Bold": ["cousine-latin-700", "cousine-latin-ext-700"],
  "Times-Roman": ["tinos-latin-400", "tinos-latin-ext-400"],
  "Times-Bold": ["tinos-latin-700", "tinos-latin-ext-700"],
}

/** A font that the screen draws with. */
export interface ScreenFont extends Measure {
  /** As CSS names it. */
  family: string
  /** Its letters are drawn thicker: there is no bold one. */
  thick: boolean
  /** Its letters stand as wide as they are by themselves: no pair moves together. */
  plain: boolean
}

/** Sizes are measured at this one, in pixels. */
const MEASURED = 1000
const named = (file: string) => `certificate-${file}`

export class ScreenFonts {
  /** Rises whenever a font has come: texts are then measured anew. */
  version = 0
  private readonly fonts = new Map<Face, ScreenFont>()
  private readonly files = new Set<string>()
  private readonly catalog: Catalog
  private readonly onLoad: () => void
  private readonly context = document.createElement("canvas").getContext("2d")

  constructor(catalog: Catalog, onLoad: () => void) {
    this.catalog = catalog
    this.onLoad = onLoad
  }

  /** A text's clusters as the PDF has them. @param beside all that is printed */
  clustersOf(text: string, family: string, beside: string): Cluster<ScreenFont>[] {
    return facesOf(this.catalog, text, family, beside).map(({ text, font }) => ({ text, font: this.font(font) }))
  }

  private font(face: Face): ScreenFont {
    const known = this.fonts.get(face)
    if (known) return known
    const files = "standard" in face ? LIKE[face.standard] : [face.file]
    const family = files.map((file) => `"${named(file)}"`).join(", ")
    const made = {
      family,
      plain: "standard" in face,
      thick: "standard" in face ? false : face.thick,
      widthOf:
        "standard" in face
          ? (text: string, rightToLeft: boolean) => standardWidth(face.widths, text, rightToLeft)
          : (text: string, rightToLeft: boolean) => this.measured(text, family, rightToLeft),
    }
    for (const file of files) this.load(file)
    this.fonts.set(face, made)
    return made
  }

  private async load(file: string) {
    if (this.files.has(file)) return
    this.files.add(file)
    const face = new FontFace(named(file), `url(${FOLDER}/${file}.ttf)`)
    document.fonts.add(face)
    // What does not come is drawn with another font: the texts stay to be worked on.
    await face.load().catch(() => undefined)
    this.version++
    this.onLoad()
  }

  private measured(text: string, family: string, rightToLeft: boolean): number {
    if (!this.context) return 0
    this.context.font = `${MEASURED}px ${family}`
    this.context.direction = rightToLeft ? "rtl" : "ltr"
    return this.context.measureText(text).width / MEASURED
  }
}

function standardWidth(widths: readonly number[], text: string, rightToLeft: boolean): number {
  let sum = 0
  for (const letter of text) {
    const code = westernCode(rightToLeft ? mirrored(letter) : letter)
    if (code !== undefined) sum += widths[code - 32] ?? 0
  }
  return sum / 1000
}

/** The fonts, once their index is there; whoever uses them is shown anew when one of them has come. */
export function useScreenFonts() {
  const index = useQuery({
    queryKey: [`${FOLDER}/index.json`],
    queryFn: async ({ signal }) => new Catalog(await (await fetch(`${FOLDER}/index.json`, { signal })).json()),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  const [, setVersion] = useState(0)
  const [mounted] = useState({ is: true })
  useEffect(() => {
    mounted.is = true
    return () => {
      mounted.is = false
    }
  }, [])
  const fonts = useMemo(
    () => index.data && new ScreenFonts(index.data, () => mounted.is && setVersion((version) => version + 1)),
    [index.data],
  )
  return { data: fonts, error: index.error }
}
