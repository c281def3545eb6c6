import { crc32 } from "node:zlib"
import { onDemand } from "../on-demand.ts"

// Checks and prepares PNG files for certificates. UPNG never returns on some truncated or crafted files and unpacks any
// amount of data, so a file is checked before UPNG decodes it.

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** The chunks of the image itself, without texts, times and animations. */
const IMAGE_CHUNKS = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"])
/** Samples per pixel and allowed bit depths by color type. */
const COLOR_TYPES: Record<number, { samples: number; depths: number[] }> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}

/**
 * Removes all chunks but those of the image.
 * @returns undefined when the file is truncated, or unpacks to more than its dimensions say
 */
export async function stripPng(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const chunks: Uint8Array[] = [bytes.subarray(0, 8)]
  const data: Uint8Array[] = []
  let isComplete = false
  for (let at = 8; !isComplete && at + 12 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at)
    if (end > bytes.length) return undefined
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (IMAGE_CHUNKS.has(type)) chunks.push(bytes.subarray(at, end))
    if (type === "IDAT") data.push(bytes.subarray(at + 8, end - 4))
    isComplete = type === "IEND"
    at = end
  }
  const { samples, depths } = COLOR_TYPES[view.getUint8(25)] ?? { samples: 0, depths: [] }
  const depth = view.getUint8(24)
  const interlaced = view.getUint8(28) === 1
  if (!isComplete || !depths.includes(depth)) return undefined
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const minSize = height * (1 + Math.ceil((width * samples * depth) / 8))
  // The seven passes of an interlaced image have at most twice as many rows, each with at most two more bytes.
  const maxSize = minSize + (interlaced ? 4 * height + 64 : 0)
  const size = await unpackedSize(data, maxSize)
  return size !== undefined && size >= minSize && size <= maxSize ? Buffer.concat(chunks) : undefined
}

/** Returns the unpacked size, and stops reading beyond `maxSize`. */
async function unpackedSize(parts: Uint8Array[], maxSize: number): Promise<number | undefined> {
  const packed = new Blob(parts.map((part) => Uint8Array.from(part))).stream()
  let size = 0
  try {
    for await (const part of packed.pipeThrough(new DecompressionStream("deflate"))) {
      size += part.byteLength
      if (size > maxSize) break
    }
    return size
  } catch {
    return undefined
  }
}

/** The compressed data of a PNG, in a form that a PDF can embed. */
export interface PlainPng {
  width: number
  height: number
  /** Bits per sample. */
  depth: number
  /** Samples per pixel: 1 for gray and palettes, 3 for RGB. */
  components: 1 | 3
  /** Red, green and blue of each palette entry. */
  palette: Uint8Array | undefined
  data: Uint8Array
}

/** Reads a complete file; undefined when a PDF cannot embed its data because it is transparent or interlaced. */
export function readPlainPng(bytes: Uint8Array): PlainPng | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const type = view.getUint8(25)
  if ((type !== 0 && type !== 2 && type !== 3) || view.getUint8(28) === 1) return undefined
  const data: Uint8Array[] = []
  let palette: Uint8Array | undefined
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at)
    const chunk = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (chunk === "tRNS") return undefined
    if (chunk === "PLTE" && type === 3) palette = bytes.slice(at + 8, end - 4)
    if (chunk === "IDAT") data.push(bytes.subarray(at + 8, end - 4))
    at = end
  }
  if (type === 3 && !palette) return undefined
  return {
    width: view.getUint32(16),
    height: view.getUint32(20),
    depth: view.getUint8(24),
    components: type === 2 ? 3 : 1,
    palette,
    data: Buffer.concat(data),
  }
}

const upng = onDemand(() => import("@pdf-lib/upng"))

/** Converts a complete file to an opaque RGB image on white. @throws when it has no image */
export async function flattenPng(bytes: Uint8Array): Promise<Uint8Array> {
  const { default: UPNG } = await upng()
  const image = UPNG.decode(Uint8Array.from(bytes).buffer)
  const { width, height } = image
  const [first] = UPNG.toRGBA8(image)
  if (!first) throw new Error("The PNG has no image.")
  const pixels = new Uint8Array(first)
  // Each row begins with its filter type: none.
  const rows = new Uint8Array(height * (1 + 3 * width))
  for (let y = 0, from = 0, to = 0; y < height; y++) {
    to++
    for (let x = 0; x < width; x++, from += 4) {
      const alpha = (pixels[from + 3] ?? 0) / 255
      for (let channel = 0; channel < 3; channel++)
        rows[to++] = Math.round((pixels[from + channel] ?? 0) * alpha + 255 * (1 - alpha))
    }
  }
  const packed = new Blob([rows]).stream().pipeThrough(new CompressionStream("deflate"))
  const header = new DataView(new ArrayBuffer(13))
  header.setUint32(0, width)
  header.setUint32(4, height)
  header.setUint8(8, 8)
  header.setUint8(9, 2)
  return Buffer.concat([
    Uint8Array.from(SIGNATURE),
    pngChunk("IHDR", new Uint8Array(header.buffer)),
    pngChunk("IDAT", new Uint8Array(await new Response(packed).arrayBuffer())),
    pngChunk("IEND", new Uint8Array()),
  ])
}

function pngChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = Buffer.concat([new Uint8Array(4), Buffer.from(type, "latin1"), data, new Uint8Array(4)])
  chunk.writeUInt32BE(data.length, 0)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}
