interface Size {
  width: number
  height: number
}

/** A text element; a width or height of 0 extends to the edge of the page. */
interface Box extends Size {
  left: number
  top: number
}

export const NEW_TEXT_HEIGHT = 30
const GAP = 10

/** The top of a new text so that it covers no other one: the middle, or the nearest free line below, then above. */
export function findFreeTop({ width, height, fields }: Size & { fields: readonly Box[] }): number {
  const [left, right] = [width / 4, (width * 3) / 4]
  const middle = Math.round(height / 2 - NEW_TEXT_HEIGHT / 2)
  const step = NEW_TEXT_HEIGHT + GAP
  const lines = Array.from({ length: Math.ceil(height / step) }, (_, line) => line * step)
  const candidates = [...lines.map((offset) => middle + offset), ...lines.map((offset) => middle - offset)]
  const isFree = (top: number) =>
    top >= 0 &&
    top + NEW_TEXT_HEIGHT <= height &&
    fields.every((field) => {
      const isBeside = field.left >= right || field.left + (field.width || width) <= left
      const isBelow = field.top >= top + NEW_TEXT_HEIGHT
      const isAbove = field.top + Math.max(field.height, NEW_TEXT_HEIGHT) <= top
      return isBeside || isBelow || isAbove
    })
  return candidates.find(isFree) ?? middle
}
