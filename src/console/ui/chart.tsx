import { useEffect, useId, useRef, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"
import { ChartPatterns, LegendSwatch } from "./chart-series.tsx"
import { download, toCsv } from "./csv.ts"
import type { ChartSpec } from "./draw-chart.ts"
import { Table } from "./table.tsx"

interface ChartProps extends ChartSpec {
  title: string
  description: string
  filename: string
}

/** A chart with legend, table view and CSV export. */
export function Chart(props: ChartProps) {
  const { title, description, series, labels, points, axis, filename } = props
  const canvas = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const id = useId()

  useEffect(() => {
    if (!canvas.current) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(canvas.current)
    return () => observer.disconnect()
  }, [])
  useEffect(() => {
    if (width === 0) return
    let isStale = false
    import("./draw-chart.ts").then(({ drawChart }) => {
      if (!isStale) canvas.current?.replaceChildren(drawChart(props, width, id))
    })
    return () => {
      isStale = true
    }
  }, [width, points, series.join(), labels.join()])

  const valueAt = new Map(points.map((point) => [`${point.series}\n${point.at}`, point.value]))
  const getValue = (name: string, label: string) => valueAt.get(`${name}\n${label}`) ?? ""
  const rows = [[axis, ...series], ...labels.map((label) => [label, ...series.map((name) => getValue(name, label))])]
  return (
    <figure class="chart" aria-labelledby={id} data-figure={filename}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        <p class="quiet">{description}</p>
      </figcaption>
      <ChartPatterns id={id} count={series.length} />
      <ul class="legend" aria-hidden="true">
        {series.map((name, index) => (
          <li key={name}>
            <LegendSwatch id={id} index={index} isLine={props.kind === "lines"} />
            {name}
          </li>
        ))}
      </ul>
      <div ref={canvas} class="canvas" dir="ltr" />
      <details>
        <summary>{t("chart.table")}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
        <section class="scrolls" tabIndex={0} aria-label={title}>
          <Table
            caption={title}
            rows={labels}
            keyOf={(label) => label}
            columns={[
              { key: "at", title: axis, render: (label) => label },
              ...series.map((name) => ({
                key: name,
                title: name,
                numeric: true,
                render: (label: string) => getValue(name, label),
              })),
            ]}
          />
        </section>
      </details>
      <button type="button" onClick={() => download(new Blob([toCsv(rows)], { type: "text/csv" }), `${filename}.csv`)}>
        {t("chart.csv")}
      </button>
    </figure>
  )
}
