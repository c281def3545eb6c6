import { useQuery } from "@tanstack/preact-query"
import { useEffect, useMemo, useRef, useState } from "preact/hooks"
import { type Cluster, type Face, FontCatalog, SUBSTITUTES, winAnsiCode } from "../../../lib/pdf/font-catalog.ts"
import type { Measure } from "../../../lib/pdf/text-fitting.ts"
import { mirrorCharacter } from "../../../lib/pdf/text-runs.ts"
import { resolveFaces } from "../../../modules/certificates/certificate-layout.ts"

// The fonts of certificates in the browser: the same files as in the PDFs, loaded on demand.

const FONT_FOLDER = "/assets/fonts"

export interface ScreenFont extends Measure {
  /** CSS font family. */
  family: string
  /** Drawn with a stroke to imitate bold: the font has no bold style. */
  thick: boolean
  /** Without kerning and ligatures. */
  plain: boolean
}

/** Font size in pixels at which widths are measured. */
const MEASURING_SIZE = 1000
const familyName = (file: string) => `certificate-${file}`

export class ScreenFonts {
  /** Incremented when a font has loaded: texts are then measured again. */
  version = 0
  private readonly fonts = new Map<Face, ScreenFont>()
  private readonly files = new Set<string>()
  private readonly catalog: FontCatalog
  private readonly onLoad: () => void
  private readonly context = document.createElement("canvas").getContext("2d")

  constructor(catalog: FontCatalog, onLoad: () => void) {
    this.catalog = catalog
    this.onLoad = onLoad
  }

  /** Clusters of a text as in the PDF. @param allText all texts of the page, which decide the fonts */
  clustersOf(text: string, family: string, allText: string): Cluster<ScreenFont>[] {
    return resolveFaces(this.catalog, text, family, allText).map(({ text, font }) => ({ text, font: this.font(font) }))
  }

  private font(face: Face): ScreenFont {
    const known = this.fonts.get(face)
    if (known) return known
    const files = "standard" in face ? SUBSTITUTES[face.standard] : [face.file]
    const family = files.map((file) => `"${familyName(file)}"`).join(", ")
    const screenFont = {
      family,
      plain: "standard" in face,
      thick: "standard" in face ? false : face.fakeBold,
      widthOf:
        "standard" in face
          ? (text: string, rightToLeft: boolean) => standardWidth(face.widths, text, rightToLeft)
          : (text: string, rightToLeft: boolean) => this.measure(text, family, rightToLeft),
    }
    for (const file of files) this.load(file)
    this.fonts.set(face, screenFont)
    return screenFont
  }

  private async load(file: string) {
    if (this.files.has(file)) return
    this.files.add(file)
    const face = new FontFace(familyName(file), `url(${FONT_FOLDER}/${file}.ttf)`)
    document.fonts.add(face)
    // If a font fails to load, the browser uses another one.
    await face.load().catch(() => undefined)
    this.version++
    this.onLoad()
  }

  private measure(text: string, family: string, rightToLeft: boolean): number {
    if (!this.context) return 0
    this.context.font = `${MEASURING_SIZE}px ${family}`
    this.context.direction = rightToLeft ? "rtl" : "ltr"
    return this.context.measureText(text).width / MEASURING_SIZE
  }
}

function standardWidth(widths: readonly number[], text: string, rightToLeft: boolean): number {
  let sum = 0
  for (const character of text) {
    const code = winAnsiCode(rightToLeft ? mirrorCharacter(character) : character)
    if (code !== undefined) sum += widths[code - 32] ?? 0
  }
  return sum / 1000
}

/** The fonts, once their index has loaded. Re-renders when a font has loaded. */
export function useScreenFonts() {
  const index = useQuery({
    queryKey: [`${FONT_FOLDER}/index.json`],
    queryFn: async ({ signal }) => new FontCatalog(await (await fetch(`${FONT_FOLDER}/index.json`, { signal })).json()),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  const [, setVersion] = useState(0)
  const isMounted = useRef(true)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  const fonts = useMemo(
    () => index.data && new ScreenFonts(index.data, () => isMounted.current && setVersion((version) => version + 1)),
    [index.data],
  )
  return { data: fonts, error: index.error }
}
