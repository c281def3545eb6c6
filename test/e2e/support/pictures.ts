import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type Decoder from "@pdf-lib/upng"

/** Node loads the package in another way than its types say. */
const { default: UPNG } = createRequire(import.meta.url)("@pdf-lib/upng") as { default: typeof Decoder }

interface Rectangle {
  left: number
  top: number
  width: number
  height: number
}

export interface Picture {
  width: number
  height: number
  /** 0 for paper to 1 for ink, row by row. */
  ink: Float32Array
}

export function readPicture(path: string): Picture {
  const image = UPNG.decode(Uint8Array.from(readFileSync(path)).buffer)
  const [first] = UPNG.toRGBA8(image)
  const pixels = new Uint8Array(first ?? new ArrayBuffer(0))
  const ink = Float32Array.from({ length: image.width * image.height }, (_, i) => {
    const [red = 255, green = 255, blue = 255] = pixels.subarray(4 * i, 4 * i + 3)
    return 1 - (red + green + blue) / 765
  })
  return { width: image.width, height: image.height, ink }
}

/** The smallest part of a rectangle of a picture that has all its ink. */
export function cropToInk({ width, height, ink }: Picture, area: Rectangle): Picture {
  const inkAt = (x: number, y: number) => (x < 0 || y < 0 || x >= width || y >= height ? 0 : (ink[y * width + x] ?? 0))
  let [left, right, top, bottom] = [area.width, -1, area.height, -1]
  for (let y = 0; y < area.height; y++)
    for (let x = 0; x < area.width; x++)
      if (inkAt(area.left + x, area.top + y) > 0.2) {
        left = Math.min(left, x)
        right = Math.max(right, x)
        top = Math.min(top, y)
        bottom = Math.max(bottom, y)
      }
  const [w, h] = [Math.max(0, right - left + 1), Math.max(0, bottom - top + 1)]
  const at = (i: number) => inkAt(area.left + left + (i % w), area.top + top + Math.floor(i / w))
  return { width: w, height: h, ink: Float32Array.from({ length: w * h }, (_, i) => at(i)) }
}

/** The share of ink that differs between two pictures, at the offset where they fit best. */
export function difference(one: Picture, other: Picture): number {
  if (one.width * one.height === 0 || other.width * other.height === 0) return 1
  const smooth = ({ width, height, ink }: Picture, x: number, y: number) => {
    let sum = 0
    for (let dy = -1; dy <= 1; dy++)
      for (let dx = -1; dx <= 1; dx++)
        if (x + dx >= 0 && y + dy >= 0 && x + dx < width && y + dy < height) sum += ink[(y + dy) * width + x + dx] ?? 0
    return sum / 9
  }
  const [width, height] = [Math.max(one.width, other.width), Math.max(one.height, other.height)]
  let least = 1
  for (let shiftY = -3; shiftY <= 3; shiftY++)
    for (let shiftX = -3; shiftX <= 3; shiftX++) {
      let [different, total] = [0, 0]
      for (let y = -3; y < height + 3; y++)
        for (let x = -3; x < width + 3; x++) {
          const [a, b] = [smooth(one, x, y), smooth(other, x + shiftX, y + shiftY)]
          different += Math.abs(a - b)
          total += a + b
        }
      least = Math.min(least, different / total)
    }
  return least
}
