import { useMemo, useState } from "preact/hooks"
import type { ChartLayout, ChartMark, ChartSpec } from "./chart-layout.ts"
import { DASHES, fillOf } from "./chart-series.tsx"

/** SVG paths of a circle, square, triangle, diamond, star and cross of radius 1. */
const SYMBOLS = [
  "M-1 0A1 1 0 1 0 1 0A1 1 0 1 0 -1 0",
  "M-0.9 -0.9H0.9V0.9H-0.9Z",
  "M0 -1.2L1.1 0.8H-1.1Z",
  "M0 -1.4L1 0L0 1.4L-1 0Z",
  "M0 -1.5L0.4 -0.4L1.5 0L0.4 0.4L0 1.5L-0.4 0.4L-1.5 0L-0.4 -0.4Z",
  "M-0.4 -1.2H0.4V-0.4H1.2V0.4H0.4V1.2H-0.4V0.4H-1.2V-0.4H-0.4Z",
]
const DENSE_POINT_COUNT = 80

const describe = ({ point }: ChartMark) => `${point.at}, ${point.series}: ${point.value}`
const colorOf = (index: number) => `var(--series-${index + 1})`

/** Grid lines and the texts of both axes. */
function Axes({ spec, layout }: { spec: ChartSpec; layout: ChartLayout }) {
  const { area, height } = layout
  return (
    <g fill="currentColor">
      {layout.values.map(({ at, text }, index) => {
        const [x1, x2, y1, y2] = spec.horizontal ? [at, at, area.top, area.bottom] : [area.left, area.right, at, at]
        return (
          <g key={text}>
            <line {...{ x1, x2, y1, y2 }} stroke="currentColor" stroke-opacity={index ? 0.1 : 1} />
            {spec.horizontal ? (
              <text x={at} y={area.bottom + 16} text-anchor="middle">
                {text}
              </text>
            ) : (
              <text x={area.left - 8} y={at} dy="0.32em" text-anchor="end">
                {text}
              </text>
            )}
          </g>
        )
      })}
      {layout.ticks.map(({ at, text }) =>
        spec.horizontal ? (
          <text key={at} x={area.left - 8} y={at} dy="0.32em" text-anchor="end">
            {text}
          </text>
        ) : (
          <text key={at} x={at} y={area.bottom + 16} text-anchor="middle">
            {text}
          </text>
        ),
      )}
      {!spec.horizontal && (
        <text x={(area.left + area.right) / 2} y={height - 6} text-anchor="middle">
          {spec.axis}
        </text>
      )}
    </g>
  )
}

function Bars({ spec, layout, id }: { spec: ChartSpec; layout: ChartLayout; id: string }) {
  return layout.marks.map((mark) => {
    const [start, length] = [Math.min(mark.from, mark.to), Math.abs(mark.to - mark.from)]
    const box = spec.horizontal
      ? { x: start, width: length, y: mark.y - layout.barWidth / 2, height: layout.barWidth }
      : { x: mark.x - layout.barWidth / 2, width: layout.barWidth, y: start, height: length }
    const fill = fillOf(id, spec.palette?.[mark.nth] ?? mark.nth)
    const bar = <rect {...box} fill={fill} stroke="var(--surface)" stroke-width="0.5" aria-label={describe(mark)} />
    // The table has the same links for keyboards and screen readers.
    return mark.point.href ? (
      <a href={`/console${mark.point.href}`} tabindex={-1}>
        {bar}
      </a>
    ) : (
      bar
    )
  })
}

/** The SVG path of a line, with a gap for each missing mark. */
const pathOf = (marks: readonly (ChartMark | undefined)[]) =>
  marks.map((mark, index) => (mark ? `${marks[index - 1] ? "L" : "M"}${mark.x} ${mark.y}` : "")).join("")

function Lines({ spec, layout }: { spec: ChartSpec; layout: ChartLayout }) {
  const radius = spec.labels.length > DENSE_POINT_COUNT ? 1.5 : 3
  return spec.series.map((name, nth) => {
    const marks = layout.marks.filter((mark) => mark.nth === nth)
    const markAt = new Map(marks.map((mark) => [mark.point.at, mark]))
    const color = colorOf(spec.palette?.[nth] ?? nth)
    return (
      <g key={name}>
        <path
          d={pathOf(spec.labels.map((label) => markAt.get(label)))}
          fill="none"
          stroke={color}
          stroke-width="2"
          stroke-dasharray={DASHES[nth] ?? "none"}
        />
        {marks.map((mark) => (
          <path
            key={mark.point.at}
            d={SYMBOLS[nth] ?? SYMBOLS[0]}
            transform={`translate(${mark.x},${mark.y}) scale(${radius})`}
            fill={color}
            aria-label={describe(mark)}
          />
        ))}
      </g>
    )
  })
}

/** The mark that is nearest to a position: first along the axis of the labels, then across it. */
function nearest({ marks }: ChartLayout, isHorizontal: boolean, x: number, y: number): ChartMark | undefined {
  let found: ChartMark | undefined
  let shortest = Number.POSITIVE_INFINITY
  for (const mark of marks) {
    const [dx, dy] = [Math.abs(mark.x - x), Math.abs(mark.y - y)]
    const distance = isHorizontal ? dy * 1000 + dx : dx * 1000 + dy
    if (distance < shortest) [found, shortest] = [mark, distance]
  }
  return found
}

/**
 * Draws a chart, and shows the value next to the pointer.
 * @param id prefix of the pattern ids in `ChartPatterns`
 */
export function ChartDrawing(props: { spec: ChartSpec; layout: ChartLayout; width: number; id: string }) {
  const { spec, layout, width, id } = props
  const [tip, setTip] = useState<ChartMark>()
  const drawing = useMemo(
    () => (
      <>
        <Axes spec={spec} layout={layout} />
        {spec.kind === "lines" ? <Lines spec={spec} layout={layout} /> : <Bars spec={spec} layout={layout} id={id} />}
      </>
    ),
    [layout, id],
  )
  const showTip = (event: PointerEvent & { currentTarget: SVGSVGElement }) => {
    const box = event.currentTarget.getBoundingClientRect()
    setTip(nearest(layout, spec.horizontal ?? false, event.clientX - box.x, event.clientY - box.y))
  }
  const isBeyondCenter = tip !== undefined && tip.x > width / 2
  return (
    <svg
      class="plot"
      viewBox={`0 0 ${width} ${layout.height}`}
      {...{ width, height: layout.height }}
      aria-hidden="true"
      onPointerMove={showTip}
      onPointerDown={showTip}
      onPointerLeave={() => setTip(undefined)}
    >
      {drawing}
      {tip && <circle cx={tip.x} cy={tip.y} r="4" fill="none" stroke="currentColor" pointer-events="none" />}
      {tip && (
        <text
          class="chart-tip"
          x={tip.x + (isBeyondCenter ? -10 : 10)}
          y={Math.max(tip.y - 10, 14)}
          text-anchor={isBeyondCenter ? "end" : "start"}
        >
          {describe(tip)}
        </text>
      )}
    </svg>
  )
}
