import { barX, barY, dot, line, plot, ruleX, ruleY } from "@observablehq/plot"
import { dateTime, number } from "../messages/messages.ts"
import { chartHeight, DASHES, fillOf, SYMBOLS } from "./chart-series.tsx"

/** One value of a chart. */
export interface ChartPoint {
  series: string
  /** The label on the axis. */
  at: string
  value: number
  /** Where a click on it leads: the records that it counts. */
  href?: string
}

export interface ChartSpec {
  kind: "stacked bars" | "lines" | "bars"
  /** Names of the series, in order. */
  series: readonly string[]
  /** Labels on the axis, in order. */
  labels: readonly string[]
  /** Title of the axis. */
  axis: string
  /** A missing point is a gap in a line. */
  points: readonly ChartPoint[]
  /** For long labels. */
  horizontal?: boolean
  /** The number of the color of each series, from 0; by default its own number. */
  palette?: readonly number[]
}

/** Approximate width of a character in pixels. */
const CHARACTER_WIDTH = 6.8

const formatCompact = (value: number) => number(value, { notation: "compact" })
const DENSE_POINT_COUNT = 80

/** Shortens in the middle: similar labels often start alike. */
function truncateMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const head = Math.max(1, Math.floor(maxLength * 0.4))
  return `${text.slice(0, head).trimEnd()}…${text.slice(text.length - Math.max(1, maxLength - head - 1)).trimStart()}`
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A label of the x axis: days are short dates. */
const tickText = (label: string) =>
  DAY.test(label) ? dateTime(new Date(label), { day: "numeric", month: "short", timeZone: "UTC" }) : label

/**
 * Draws a chart. Removes the style element that Observable Plot adds: the content security policy blocks it.
 * @param id prefix of the pattern ids in `ChartPatterns`
 */
export function drawChart(props: ChartSpec, width: number, id: string): Element {
  const { kind, series, labels, points, axis, horizontal, palette = [] } = props
  const describe = ({ at, series: name, value }: ChartPoint) => `${at}, ${name}: ${value}`
  const tooltip = { ariaLabel: describe, title: describe, tip: true }

  const valueAt = new Map(points.map((point) => [`${point.series}\n${point.at}`, point.value]))
  const getValue = (name: string, at: string) => valueAt.get(`${name}\n${at}`)
  const lines = () =>
    series.flatMap((name, nth) => {
      const seriesPoints = labels.map((at) => ({ series: name, at, value: getValue(name, at) ?? Number.NaN }))
      const color = `var(--series-${nth + 1})`
      const dashes = { strokeDasharray: DASHES[nth] ?? "none" }
      const symbol = SYMBOLS[nth] ?? "circle"
      return [
        line(seriesPoints, { x: "at", y: "value", stroke: color, strokeWidth: 2, ...dashes }),
        dot(seriesPoints, {
          ...tooltip,
          x: "at",
          y: "value",
          fill: color,
          symbol,
          r: labels.length > DENSE_POINT_COUNT ? 1.5 : 3,
        }),
      ]
    })
  const bars = () => {
    const links = points.some(({ href }) => href) ? { href: "href" } : {}
    const shape = {
      ...tooltip,
      ...links,
      fill: "series",
      stroke: "var(--surface)",
      strokeWidth: 0.5,
      order: [...series],
    }
    return horizontal
      ? [barX(points, { ...shape, x: "value", y: "at" })]
      : [barY(points, { ...shape, x: "at", y: "value" })]
  }

  const heights =
    kind === "lines"
      ? points.map(({ value }) => value)
      : labels.map((at) => series.reduce((sum, name) => sum + (getValue(name, at) ?? 0), 0))
  const maxValue = Math.max(0, ...heights)
  const valueAxis = {
    label: null,
    grid: true,
    // A chart of zeros needs a domain too.
    domain: [0, maxValue || 1],
    nice: true,
    ...(maxValue < 5 ? { interval: 1 } : { ticks: Math.max(2, Math.min(6, Math.floor(width / 90))) }),
    tickFormat: formatCompact,
  }
  const maxLabelLength = Math.max(0, ...labels.map((label) => label.length))
  const labelMargin = Math.min(width * 0.42, 18 + maxLabelLength * CHARACTER_WIDTH)
  const maxTicks = Math.max(1, Math.floor((width - 60) / (maxLabelLength * CHARACTER_WIDTH + 14)))
  const tickStep = Math.max(1, Math.ceil(labels.length / maxTicks))
  const ticks = labels.filter((_, index) => index % tickStep === 0)
  const svg = plot({
    width,
    height: chartHeight(props, width),
    className: "plot",
    color: { domain: [...series], range: series.map((_, nth) => fillOf(id, palette[nth] ?? nth)) },
    marks: [horizontal ? ruleX([0]) : ruleY([0]), ...(kind === "lines" ? lines() : bars())],
    ...(horizontal
      ? {
          marginLeft: labelMargin,
          marginRight: 24,
          x: valueAxis,
          y: {
            domain: [...labels],
            label: null,
            tickSize: 0,
            tickFormat: (label: string) => truncateMiddle(label, Math.floor((labelMargin - 12) / CHARACTER_WIDTH)),
          },
        }
      : {
          marginLeft:
            20 + CHARACTER_WIDTH * Math.max(4, ...[maxValue, maxValue / 2].map((tick) => formatCompact(tick).length)),
          marginRight: Math.max(20, (maxLabelLength * CHARACTER_WIDTH) / 2),
          marginBottom: 44,
          x: {
            domain: [...labels],
            label: axis,
            labelArrow: "none" as const,
            ticks,
            tickFormat: tickText,
            ...(kind === "lines" && { type: "point" as const }),
          },
          y: valueAxis,
        }),
  })
  for (const style of svg.querySelectorAll("style")) style.remove()
  // The table has the same links for keyboards and screen readers.
  for (const link of svg.querySelectorAll("a")) link.setAttribute("tabindex", "-1")
  svg.setAttribute("aria-hidden", "true")
  return svg
}
