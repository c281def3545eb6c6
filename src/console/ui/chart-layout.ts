import { nice, ticks } from "d3-array"
import { dateTime, number } from "../messages/messages.ts"

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
const ROW_HEIGHT = 28
const NARROW = 500
/** The share of a bar's place that is empty. */
const GAP = 0.1

const formatCompact = (value: number) => number(value, { notation: "compact" })

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** A label of the x axis: days are short dates. */
const tickText = (label: string) =>
  DAY.test(label) ? dateTime(new Date(label), { day: "numeric", month: "short", timeZone: "UTC" }) : label

/** Shortens in the middle: similar labels often start alike. */
function truncateMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const head = Math.max(1, Math.floor(maxLength * 0.4))
  return `${text.slice(0, head).trimEnd()}…${text.slice(text.length - Math.max(1, maxLength - head - 1)).trimStart()}`
}

/** The values of the ticks, from 0 to the end of the axis. */
function valueTicks(max: number, count: number): number[] {
  if (max < 5) return Array.from({ length: Math.max(1, Math.ceil(max)) + 1 }, (_, value) => value)
  return ticks(...nice(0, max, count), count)
}

/** Where the parts of a chart are drawn, in pixels. */
export function layOut({ kind, series, labels, points, horizontal = false }: ChartSpec, width: number) {
  const height = horizontal ? 50 + labels.length * ROW_HEIGHT : width < NARROW ? 240 : 300
  const totals = new Map<string, number>()
  for (const { at, value } of points) totals.set(at, (totals.get(at) ?? 0) + value)
  const max = Math.max(0, ...(kind === "lines" ? points.map(({ value }) => value) : totals.values()))
  const values = valueTicks(max, Math.max(2, Math.min(6, Math.floor(width / 90))))
  const end = values.at(-1) ?? 1

  const maxLength = Math.max(0, ...labels.map((label) => label.length))
  const valueWidth = Math.max(4, ...values.map((value) => formatCompact(value).length)) * CHARACTER_WIDTH
  const labelWidth = Math.min(width * 0.42, 18 + maxLength * CHARACTER_WIDTH)
  const area = horizontal
    ? { left: labelWidth, right: width - 24, top: 20, bottom: height - 30 }
    : {
        left: 20 + valueWidth,
        right: width - Math.max(20, (maxLength * CHARACTER_WIDTH) / 2),
        top: 20,
        bottom: height - 44,
      }

  const [start, length] = horizontal ? [area.top, area.bottom - area.top] : [area.left, area.right - area.left]
  const step = length / Math.max(1, labels.length)
  const maxTicks = Math.max(1, Math.floor((width - 60) / (maxLength * CHARACTER_WIDTH + 14)))
  const tickStep = horizontal ? 1 : Math.max(1, Math.ceil(labels.length / maxTicks))
  const indexOf = new Map(labels.map((label, index) => [label, index]))
  const positionOf = (label: string) => start + step * ((indexOf.get(label) ?? 0) + 0.5)
  /** The position of a value on its axis. */
  const scale = (value: number) =>
    horizontal
      ? area.left + (value / end) * (area.right - area.left)
      : area.bottom - (value / end) * (area.bottom - area.top)

  const sums = new Map<string, number>()
  /** Each point with the values where it starts and ends: bars of one label are stacked. */
  const marks = points.map((point) => {
    const from = kind === "lines" ? point.value : (sums.get(point.at) ?? 0)
    const to = kind === "lines" ? point.value : from + point.value
    sums.set(point.at, to)
    const [across, along] = [positionOf(point.at), scale((from + to) / 2)]
    const [x, y] = horizontal ? [along, across] : [across, along]
    return { point, nth: series.indexOf(point.series), from: scale(from), to: scale(to), x, y }
  })
  return {
    height,
    area,
    marks,
    barWidth: step * (1 - GAP),
    values: values.map((value) => ({ at: scale(value), text: formatCompact(value) })),
    ticks: labels
      .filter((_, index) => index % tickStep === 0)
      .map((label) => ({
        at: positionOf(label),
        text: horizontal ? truncateMiddle(label, Math.floor((labelWidth - 12) / CHARACTER_WIDTH)) : tickText(label),
      })),
  }
}

export type ChartLayout = ReturnType<typeof layOut>
export type ChartMark = ChartLayout["marks"][number]
