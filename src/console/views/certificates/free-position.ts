interface Size {
  width: number
  height: number
}

/** A text on the page; a width or height of 0 reaches to the page's edge. */
interface Box extends Size {
  left: number
  top: number
}

/** The height of a new text. */
export const NEW_HEIGHT = 30
const GAP = 10

/** Where a new text covers no other: in the middle of the page, or the nearest free line below it, then above. */
export function freeTop({ width, height, fields }: Size & { fields: readonly Box[] }): number {
  const [left, right] = [width / 4, (width * 3) / 4]
  const middle = Math.round(height / 2 - NEW_HEIGHT / 2)
  const step = NEW_HEIGHT + GAP
  const lines = Array.from({ length: Math.ceil(height / step) }, (_, line) => line * step)
  const places = [...lines.map((by) => middle + by), ...lines.map((by) => middle - by)]
  const isFree = (top: number) =>
    top >= 0 &&
    top + NEW_HEIGHT <= height &&
    fields.every((field) => {
      const isBeside = field.left >= right || field.left + (field.width || width) <= left
      const isBelow = field.top >= top + NEW_HEIGHT
      const isAbove = field.top + Math.max(field.height, NEW_HEIGHT) <= top
      return isBeside || isBelow || isAbove
    })
  return places.find(isFree) ?? middle
}
