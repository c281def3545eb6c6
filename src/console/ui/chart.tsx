import { useEffect, useId, useRef, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"
import { Patterns, Swatch } from "./chart-series.tsx"
import { csvOf, download } from "./csv.ts"
import type { Drawing } from "./draw-chart.ts"
import { Table } from "./table.tsx"

interface FigureProps extends Drawing {
  title: string
  /** What the figure tells, and what its numbers come from. */
  about: string
  filename: string
}

/** A picture with its legend, its table and its CSV: all three of the same points. */
export function Figure(props: FigureProps) {
  const { title, about, series, places, points, axis, filename } = props
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
    let stale = false
    import("./draw-chart.ts").then(({ drawn }) => {
      if (!stale) canvas.current?.replaceChildren(drawn(props, width, id))
    })
    return () => {
      stale = true
    }
  }, [width, points, series.join(), places.join()])

  const valueAt = new Map(points.map((point) => [`${point.series}\n${point.at}`, point.value]))
  const of = (name: string, place: string) => valueAt.get(`${name}\n${place}`) ?? ""
  const rows = [[axis, ...series], ...places.map((place) => [place, ...series.map((name) => of(name, place))])]
  return (
    <figure class="figure" aria-labelledby={id} data-figure={filename}>
      <figcaption>
        <h2 id={id}>{title}</h2>
        <p class="quiet">{about}</p>
      </figcaption>
      <Patterns id={id} count={series.length} />
      <ul class="legend" aria-hidden="true">
        {series.map((name, nth) => (
          <li key={name}>
            <Swatch id={id} nth={nth} isLine={props.kind === "lines"} />
            {name}
          </li>
        ))}
      </ul>
      <div ref={canvas} class="canvas" dir="ltr" />
      <details>
        <summary>{t("chart.table")}</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
        <section class="scrolls" tabIndex={0} aria-label={title}>
          <Table
            caption={title}
            rows={places}
            keyOf={(place) => place}
            columns={[
              { key: "at", title: axis, render: (place) => place },
              ...series.map((name) => ({
                key: name,
                title: name,
                numeric: true,
                render: (place: string) => of(name, place),
              })),
            ]}
          />
        </section>
      </details>
      <button type="button" onClick={() => download(new Blob([csvOf(rows)], { type: "text/csv" }), `${filename}.csv`)}>
        {t("chart.csv")}
      </button>
    </figure>
  )
}
