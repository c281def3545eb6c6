// What pdf-lib's PNG reader takes on trust is made sure of first: it never ends on some files that are cut off or
// crafted, and unpacks whatever the file holds.

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** The chunks that make the picture. Texts, times and animations are left out. */
const KEPT = new Set(["IHDR", "PLTE", "tRNS", "IDAT", "IEND"])
/** Samples a pixel by colour type, and the depths that each may have. */
const TYPES: Record<number, { samples: number; depths: number[] }> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
}

export const isPng = (bytes: Uint8Array) => bytes.length > 33 && SIGNATURE.every((byte, i) => bytes[i] === byte)

/** @returns the file without what is not the picture; undefined for one that is not whole, or holds more than its size says */
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
