import { barX, barY, dot, line, plot, ruleX, ruleY } from "@observablehq/plot"

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
  points: readonly Point[]
  /** Longer names stand better beside horizontal bars. */
  horizontal?: boolean
}

const LABELLED_AT_MOST = 14

/** Draws with the width that there is. The library styles its pictures by an element, which the policy refuses. */
export function drawn(props: Drawing, width: number): Element {
  const { kind, series, places, points, axis, horizontal } = props
  const every = Math.ceil(places.length / Math.max(2, Math.min(LABELLED_AT_MOST, Math.floor(width / 70))))
  const shown = places.filter((_, at) => at % every === 0)
  const color = { domain: [...series], range: series.map((_, at) => `var(--series-${at + 1})`) }
  const label = ({ at, series: name, value }: Point) => `${at}, ${name}: ${value}`
  const marked = { fill: "series", ariaLabel: label, title: label, order: [...series] }
  const mark = () => {
    if (kind === "lines")
      return [
        line(points, { x: "at", y: "value", stroke: "series", strokeWidth: 2, z: "series" }),
        dot(points, { x: "at", y: "value", fill: "series", r: 2, ariaLabel: label, title: label }),
      ]
    return horizontal
      ? [barX(points, { ...marked, x: "value", y: "at" })]
      : [barY(points, { ...marked, x: "at", y: "value" })]
  }
  const band = { domain: [...places], label: axis }
  const value = { label: null, grid: true, zero: true, nice: true, ticks: 5, tickFormat: "d" as const }
  const longest = Math.max(0, ...places.map((place) => place.length))
  const svg = plot({
    width,
    className: "plot",
    color,
    marks: [horizontal ? ruleX([0]) : ruleY([0]), ...mark()],
    ...(horizontal
      ? {
          height: 60 + places.length * 26,
          marginLeft: Math.min(width / 2.5, 16 + longest * 7),
          x: value,
          y: { ...band, label: null },
        }
      : {
          height: 280,
          x: kind === "lines" ? { ...band, type: "point" as const, ticks: shown } : { ...band, ticks: shown },
          y: value,
        }),
  })
  for (const style of svg.querySelectorAll("style")) style.remove()
  svg.setAttribute("aria-hidden", "true")
  return svg
}
