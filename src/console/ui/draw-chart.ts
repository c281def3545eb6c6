import { barX, barY, dot, line, plot, ruleX, ruleY } from "@observablehq/plot"
import { number } from "../messages/messages.ts"
import { DASHES, paintOf, SYMBOLS } from "./chart-series.tsx"

/** One number of a picture: of which series, where on the axis, how many. */
export interface Point {
  series: string
  at: string
  value: number
}

/** What is drawn. */
export interface Drawing {
  kind: "stacked bars" | "lines" | "bars"
  /** The series in their order, as they are called on the screen. */
  series: readonly string[]
  /** The places on the axis, in their order. */
  places: readonly string[]
  /** How the axis is called. */
  axis: string
  /** A line has a gap where there is none of them. */
  points: readonly Point[]
  /** Longer names stand better beside horizontal bars. */
  horizontal?: boolean
}

/** Pixels of a letter in the pictures' size of text, about. */
const LETTER = 6.8
const ROW = 28

const compact = (value: number) => number(value, { notation: "compact" })
const DENSE = 80

/** Names of a kind often begin alike: what is left out is of their middle. */
function shortened(text: string, letters: number): string {
  if (text.length <= letters) return text
  const head = Math.max(1, Math.floor(letters * 0.4))
  return `${text.slice(0, head).trimEnd()}…${text.slice(text.length - Math.max(1, letters - head - 1)).trimStart()}`
}

/**
 * Draws with the width that there is. The library styles its pictures by an element, which the policy refuses.
 * @param id of the figure, whose patterns tell the series apart without color
 */
export function drawn(props: Drawing, width: number, id: string): Element {
  const { kind, series, places, points, axis, horizontal } = props
  const label = ({ at, series: name, value }: Point) => `${at}, ${name}: ${value}`
  const told = { ariaLabel: label, title: label }

  const valueAt = new Map(points.map((point) => [`${point.series}\n${point.at}`, point.value]))
  const of = (name: string, at: string) => valueAt.get(`${name}\n${at}`)
  const lines = () =>
    series.flatMap((name, nth) => {
      const all = places.map((at) => ({ series: name, at, value: of(name, at) ?? Number.NaN }))
      const color = `var(--series-${nth + 1})`
      const dashes = { strokeDasharray: DASHES[nth] ?? "none" }
      const symbol = SYMBOLS[nth] ?? "circle"
      return [
        line(all, { x: "at", y: "value", stroke: color, strokeWidth: 2, ...dashes }),
        dot(all, { ...told, x: "at", y: "value", fill: color, symbol, r: places.length > DENSE ? 1.5 : 3 }),
      ]
    })
  const bars = () => {
    const shape = { ...told, fill: "series", stroke: "var(--surface)", strokeWidth: 0.5, order: [...series] }
    return horizontal
      ? [barX(points, { ...shape, x: "value", y: "at" })]
      : [barY(points, { ...shape, x: "at", y: "value" })]
  }

  const heights =
    kind === "lines"
      ? points.map(({ value }) => value)
      : places.map((at) => series.reduce((sum, name) => sum + (of(name, at) ?? 0), 0))
  const most = Math.max(0, ...heights)
  const value = {
    label: null,
    grid: true,
    // Of nothing but zeros there is a picture too.
    domain: [0, most || 1],
    nice: true,
    ...(most < 5 ? { interval: 1 } : { ticks: Math.max(2, Math.min(6, Math.floor(width / 90))) }),
    tickFormat: compact,
  }
  const longest = Math.max(0, ...places.map((place) => place.length))
  const beside = Math.min(width * 0.42, 18 + longest * LETTER)
  const room = Math.max(1, Math.floor((width - 60) / (longest * LETTER + 14)))
  const every = Math.max(1, Math.ceil(places.length / room))
  const shown = places.filter((_, at) => at % every === 0)
  const svg = plot({
    width,
    className: "plot",
    color: { domain: [...series], range: series.map((_, nth) => paintOf(id, nth)) },
    marks: [horizontal ? ruleX([0]) : ruleY([0]), ...(kind === "lines" ? lines() : bars())],
    ...(horizontal
      ? {
          height: 50 + places.length * ROW,
          marginLeft: beside,
          marginRight: 24,
          x: value,
          y: {
            domain: [...places],
            label: null,
            tickSize: 0,
            tickFormat: (place: string) => shortened(place, Math.floor((beside - 12) / LETTER)),
          },
        }
      : {
          height: width < 500 ? 240 : 300,
          marginLeft: 20 + LETTER * Math.max(4, ...[most, most / 2].map((one) => compact(one).length)),
          marginRight: Math.max(20, (longest * LETTER) / 2),
          marginBottom: 44,
          x: {
            domain: [...places],
            label: axis,
            labelArrow: "none" as const,
            ticks: shown,
            ...(kind === "lines" && { type: "point" as const }),
          },
          y: value,
        }),
  })
  for (const style of svg.querySelectorAll("style")) style.remove()
  svg.setAttribute("aria-hidden", "true")
  return svg
}
