import { crc32 } from "node:zlib"
import { onDemand } from "../on-demand.ts"

// PNG files as certificates are drawn on them. What the reader of their pixels takes on trust is made sure of first: it
// never ends on some files that are cut off or crafted, and unpacks whatever the file holds.

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** The chunks that make the picture. Texts, times and animations are left out. */
const KEPT = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"])
/** Samples a pixel by color type, and the depths that each may have. */
const TYPES: Record<number, { samples: number; depths: number[] }> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}

/**
 * A file without what is not the picture.
 * @returns undefined for one that is not whole, or holds more than its size says
 */
export async function pictureOf(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const kept: Uint8Array[] = [bytes.subarray(0, 8)]
  const data: Uint8Array[] = []
  let whole = false
  for (let at = 8; !whole && at + 12 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at)
    if (end > bytes.length) return undefined
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8))
    if (KEPT.has(type)) kept.push(bytes.subarray(at, end))
    if (type === "IDAT") data.push(bytes.subarray(at + 8, end - 4))
    whole = type === "IEND"
    at = end
  }
  const { samples, depths } = TYPES[view.getUint8(25)] ?? { samples: 0, depths: [] }
  const depth = view.getUint8(24)
  const interlaced = view.getUint8(28) === 1
  if (!whole || !depths.includes(depth)) return undefined
  const [width, height] = [view.getUint32(16), view.getUint32(20)]
  const least = height * (1 + Math.ceil((width * samples * depth) / 8))
  // The seven passes of an interlaced picture have at most twice as many rows, each with two bytes more at most.
  const most = least + (interlaced ? 4 * height + 64 : 0)
  const size = await unpackedSize(data, most)
  return size !== undefined && size >= least && size <= most ? Buffer.concat(kept) : undefined
}

/** How many bytes it unpacks to; read no further than just beyond `most`. */
async function unpackedSize(parts: Uint8Array[], most: number): Promise<number | undefined> {
  const packed = new Blob(parts.map((part) => Uint8Array.from(part))).stream()
  let size = 0
  try {
    for await (const part of packed.pipeThrough(new DecompressionStream("deflate"))) {
      size += part.byteLength
      if (size > most) break
    }
    return size
  } catch {
    return undefined
  }
}

/** A picture's data as the file has them, which a PDF takes as they are. */
export interface Picture {
  width: number
  height: number
  /** Bits of a sample. */
  depth: number
  /** Samples of a pixel: 1 for gray and for a palette, 3 for colors. */
  colors: 1 | 3
  /** Red, green and blue of each color. */
  palette: Uint8Array | undefined
  data: Uint8Array
}

/** Reads a whole file; undefined for one whose data a PDF cannot take: with transparency, or in passes. */
export function plainPicture(bytes: Uint8Array): Picture | undefined {
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
    colors: type === 2 ? 3 : 1,
    palette,
    data: Buffer.concat(data),
  }
}

const upng = onDemand(() => import("@pdf-lib/upng"))

/** A whole file as one that a PDF takes: what is transparent lies on white, as on the page. @throws for no picture */
export async function flattened(bytes: Uint8Array): Promise<Uint8Array> {
  const { default: UPNG } = await upng()
  const image = UPNG.decode(Uint8Array.from(bytes).buffer)
  const { width, height } = image
  const [first] = UPNG.toRGBA8(image)
  if (!first) throw new Error("A PNG without a picture.")
  const pixels = new Uint8Array(first)
  // Each row begins with its filter: none.
  const rows = new Uint8Array(height * (1 + 3 * width))
  for (let y = 0, from = 0, to = 0; y < height; y++) {
    to++
    for (let x = 0; x < width; x++, from += 4) {
      const seen = (pixels[from + 3] ?? 0) / 255
      for (let color = 0; color < 3; color++)
        rows[to++] = Math.round((pixels[from + color] ?? 0) * seen + 255 * (1 - seen))
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
    chunkOf("IHDR", new Uint8Array(header.buffer)),
    chunkOf("IDAT", new Uint8Array(await new Response(packed).arrayBuffer())),
    chunkOf("IEND", new Uint8Array()),
  ])
}

function chunkOf(type: string, data: Uint8Array): Uint8Array {
  const chunk = Buffer.concat([new Uint8Array(4), Buffer.from(type, "latin1"), data, new Uint8Array(4)])
  chunk.writeUInt32BE(data.length, 0)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, -4)), chunk.length - 4)
  return chunk
}
