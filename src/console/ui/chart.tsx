import { useId, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"
import { ChartDrawing } from "./chart-drawing.tsx"
import { type ChartSpec, layOut } from "./chart-layout.ts"
import { ChartPatterns, LegendSwatch } from "./chart-series.tsx"
import { download, toCsv } from "./csv.ts"
import { Table } from "./table.tsx"
import { useNavigate } from "./url-state.ts"

interface ChartProps extends ChartSpec {
  title: string
  description: string
  filename: string
}

/** A chart with legend, table view and CSV export. */
export function Chart(props: ChartProps) {
  const { title, description, series, labels, points, axis, filename, palette = [] } = props
  const canvas = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const id = useId()
  const go = useNavigate()

  useLayoutEffect(() => {
    if (!canvas.current) return
    setWidth(canvas.current.clientWidth)
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)))
    observer.observe(canvas.current)
    return () => observer.disconnect()
  }, [])
  const layout = useMemo(
    () => (width > 0 ? layOut(props, width) : undefined),
    [width, points, series.join(), labels.join()],
  )

  const valueAt = new Map(points.map((point) => [`${point.series}\n${point.at}`, point.value]))
  const hrefAt = new Map(points.map((point) => [`${point.series}\n${point.at}`, point.href]))
  const getValue = (name: string, label: string) => valueAt.get(`${name}\n${label}`) ?? ""
  const rows = [[axis, ...series], ...labels.map((label) => [label, ...series.map((name) => getValue(name, label))])]
  const followLink = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    // The router follows links of HTML only.
    const href = link?.getAttribute("href")
    if (!href || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    go(href.slice("/console".length))
  }
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
            <LegendSwatch id={id} index={palette[index] ?? index} isLine={props.kind === "lines"} />
            {name}
          </li>
        ))}
      </ul>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table has the same links */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the table has the same links */}
      <div ref={canvas} class="canvas" dir="ltr" onClick={followLink}>
        {layout && <ChartDrawing spec={props} layout={layout} width={width} id={id} />}
      </div>
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
                render: (label: string) => {
                  const href = hrefAt.get(`${name}\n${label}`)
                  return href ? <a href={`/console${href}`}>{getValue(name, label)}</a> : getValue(name, label)
                },
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
