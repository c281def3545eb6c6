import { type PDFContext, PDFHexString, type PDFRef } from "pdf-lib"
import type { PlainPng } from "./png.ts"

/** A JPEG file. */
interface Jpeg {
  width: number
  height: number
  /** Components of a pixel: gray, RGB, or CMYK. */
  components: 1 | 3 | 4
  data: Uint8Array
}

export type BackgroundImage = { kind: "png"; picture: PlainPng } | { kind: "jpg"; picture: Jpeg }

const COLOR_SPACES = { 1: "DeviceGray", 3: "DeviceRGB", 4: "DeviceCMYK" }

/**
 * Embeds the compressed data of the file. pdf-lib's embedPng decodes and recompresses every pixel, which takes seconds
 * of CPU for a large image; its embedJpg fails on fill bytes between segments.
 */
export function embedImage(context: PDFContext, image: BackgroundImage): PDFRef {
  const { width, height, components, data } = image.picture
  const entries = { Type: "XObject", Subtype: "Image", Width: width, Height: height }
  const dictionary = image.kind === "png" ? pngEntries(image.picture) : { BitsPerComponent: 8, Filter: "DCTDecode" }
  const palette = image.kind === "png" ? image.picture.palette : undefined
  return context.register(
    context.stream(data, {
      ...entries,
      ...dictionary,
      ColorSpace: palette
        ? ["Indexed", "DeviceRGB", palette.length / 3 - 1, PDFHexString.of(Buffer.from(palette).toString("hex"))]
        : COLOR_SPACES[components],
      // Programs store CMYK inverted: 0 is full ink.
      ...(components === 4 && { Decode: [1, 0, 1, 0, 1, 0, 1, 0] }),
    }),
  )
}

const pngEntries = ({ width, depth, components }: PlainPng) => ({
  BitsPerComponent: depth,
  Filter: "FlateDecode",
  DecodeParms: { Predictor: 15, Colors: components, BitsPerComponent: depth, Columns: width },
})
