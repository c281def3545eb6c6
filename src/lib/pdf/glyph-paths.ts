// The outlines of TrueType glyphs (glyf table) as SVG path data, in font units with y upwards.

interface Point {
  x: number
  y: number
  onCurve: boolean
}

/** Flags of a simple glyph's points. */
const [ON_CURVE, SHORT_X, SHORT_Y, REPEAT, SAME_X, SAME_Y] = [0x1, 0x2, 0x4, 0x8, 0x10, 0x20]
/** Flags of a composite glyph's components. */
const [WORDS, XY, SCALE, MORE, XY_SCALE, TWO_BY_TWO] = [0x1, 0x2, 0x8, 0x20, 0x40, 0x80]
/** Components may have components, but fonts nest them once or twice. */
const MAX_DEPTH = 8

type OutlineOf = (glyph: number) => Uint8Array<ArrayBuffer>
type Transform = (point: Point) => Point

/** Reads the flags of a simple glyph, and returns the offset after them. */
function readFlags(view: DataView, start: number, count: number) {
  const flags: number[] = []
  let at = start
  while (flags.length < count) {
    const flag = view.getUint8(at++)
    flags.push(flag)
    if (flag & REPEAT) for (let times = view.getUint8(at++); times > 0; times--) flags.push(flag)
  }
  return { flags, at }
}

/** Reads the x or y coordinates of a simple glyph: each is the distance to the previous point. */
function readCoordinates(view: DataView, start: number, flags: readonly number[], short: number, same: number) {
  let [at, value] = [start, 0]
  const values = flags.map((flag) => {
    if (flag & short) value += flag & same ? view.getUint8(at++) : -view.getUint8(at++)
    else if (!(flag & same)) {
      value += view.getInt16(at)
      at += 2
    }
    return value
  })
  return { values, at }
}

function simpleContours(view: DataView, contours: number): Point[][] {
  const ends = Array.from({ length: contours }, (_, i) => view.getUint16(10 + 2 * i))
  const count = (ends.at(-1) ?? -1) + 1
  const instructions = 10 + 2 * contours
  const { flags, at } = readFlags(view, instructions + 2 + view.getUint16(instructions), count)
  const x = readCoordinates(view, at, flags, SHORT_X, SAME_X)
  const y = readCoordinates(view, x.at, flags, SHORT_Y, SAME_Y)
  const points = flags.map((flag, i) => ({
    x: x.values[i] ?? 0,
    y: y.values[i] ?? 0,
    onCurve: (flag & ON_CURVE) !== 0,
  }))
  return ends.map((end, i) => points.slice((ends[i - 1] ?? -1) + 1, end + 1))
}

/** Reads one component of a composite glyph at an offset, and returns the offset after it. */
function readComponent(view: DataView, start: number) {
  const [flags, glyph] = [view.getUint16(start), view.getUint16(start + 2)]
  let at = start + 4
  const words = (flags & WORDS) !== 0
  // Without XY, the arguments are point numbers, which the fonts among the assets do not use.
  const [dx, dy] =
    (flags & XY) === 0 ? [0, 0] : [0, 1].map((i) => (words ? view.getInt16(at + 2 * i) : view.getInt8(at + i)))
  at += words ? 4 : 2
  const fraction = () => {
    at += 2
    return view.getInt16(at - 2) / 16_384
  }
  let [xx, xy, yx, yy] = [1, 0, 0, 1]
  if (flags & SCALE) xx = yy = fraction()
  else if (flags & XY_SCALE) [xx, yy] = [fraction(), fraction()]
  else if (flags & TWO_BY_TWO) [xx, xy, yx, yy] = [fraction(), fraction(), fraction(), fraction()]
  const transform: Transform = ({ x, y, onCurve }) => ({
    x: x * xx + y * yx + (dx ?? 0),
    y: x * xy + y * yy + (dy ?? 0),
    onCurve,
  })
  return { glyph, transform, at, hasMore: (flags & MORE) !== 0 }
}

function contoursOf(outlineOf: OutlineOf, glyph: number, depth = 0): Point[][] {
  const outline = outlineOf(glyph)
  if (outline.length < 10 || depth > MAX_DEPTH) return []
  const view = new DataView(outline.buffer, outline.byteOffset, outline.byteLength)
  const contours = view.getInt16(0)
  if (contours >= 0) return simpleContours(view, contours)
  const all: Point[][] = []
  for (let at = 10, hasMore = true; hasMore; ) {
    const component = readComponent(view, at)
    for (const points of contoursOf(outlineOf, component.glyph, depth + 1)) all.push(points.map(component.transform))
    at = component.at
    hasMore = component.hasMore
  }
  return all
}

const between = (one: Point, other: Point): Point => ({
  x: (one.x + other.x) / 2,
  y: (one.y + other.y) / 2,
  onCurve: true,
})
const text = ({ x, y }: Point) => `${Math.round(x)} ${Math.round(y)}`

/** A closed contour of quadratic curves: between two control points there is a point on the curve. */
function contourPath(points: readonly Point[]): string {
  const [first] = points
  const last = points.at(-1)
  if (!first || !last) return ""
  const start = first.onCurve ? first : last.onCurve ? last : between(first, last)
  let path = `M${text(start)}`
  for (const [i, point] of points.entries()) {
    if (point.onCurve) {
      if (i > 0 && points[i - 1]?.onCurve) path += `L${text(point)}`
      continue
    }
    const next = points[i + 1] ?? start
    path += `Q${text(point)} ${text(next.onCurve ? next : between(point, next))}`
  }
  return `${path}Z`
}

/** Returns the path data of a glyph; empty for a blank one. @param outlineOf reads a glyph of the font */
export const glyphPath = (outlineOf: OutlineOf, glyph: number): string =>
  contoursOf(outlineOf, glyph).map(contourPath).join("")
