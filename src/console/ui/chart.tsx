import { useId, useLayoutEffect, useRef, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"
import { ChartPatterns, chartHeight, LegendSwatch } from "./chart-series.tsx"
import { download, toCsv } from "./csv.ts"
import type { ChartSpec } from "./draw-chart.ts"
import { Table } from "./table.tsx"
import { useNavigate } from "./url-state.ts"

interface ChartProps extends ChartSpec {
  title: string
  description: string
  filename: string
}

let drawing: typeof import("./draw-chart.ts") | undefined

/** Loads the code that draws charts, which is large. */
async function loadDrawing() {
  drawing ??= await import("./draw-chart.ts")
}

/** Calls back once the element is on the screen, or nearly. @returns how to stop waiting */
function whenNear(element: Element, onNear: () => void) {
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      observer.disconnect()
      onNear()
    },
    { rootMargin: "100px" },
  )
  observer.observe(element)
  return () => observer.disconnect()
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
  useLayoutEffect(() => {
    const element = canvas.current
    if (!element || width === 0) return
    let isStale = false
    // Keeps the place of the drawing, so that nothing below it moves.
    element.style.minHeight = `${chartHeight(props, width)}px`
    const draw = () => {
      if (drawing && !isStale) element.replaceChildren(drawing.drawChart(props, width, id))
    }
    const stopWaiting = whenNear(element, () => loadDrawing().then(draw))
    // Paper also has the charts that were never scrolled to.
    addEventListener("beforeprint", draw)
    return () => {
      isStale = true
      stopWaiting()
      removeEventListener("beforeprint", draw)
    }
  }, [width, points, series.join(), labels.join()])

  const valueAt = new Map(points.map((point) => [`${point.series}\n${point.at}`, point.value]))
  const hrefAt = new Map(points.map((point) => [`${point.series}\n${point.at}`, point.href]))
  const getValue = (name: string, label: string) => valueAt.get(`${name}\n${label}`) ?? ""
  const rows = [[axis, ...series], ...labels.map((label) => [label, ...series.map((name) => getValue(name, label))])]
  const followLink = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null
    // An SVG link of Observable Plot, which the router does not know.
    const href = link?.getAttributeNS("http://www.w3.org/1999/xlink", "href")
    if (!href) return
    event.preventDefault()
    go(href)
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
      <div ref={canvas} class="canvas" dir="ltr" onClick={followLink} />
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
