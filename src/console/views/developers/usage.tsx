import { useEffect, useState } from "preact/hooks"
import { responseLog } from "../../api/response-log.ts"
import { useStore } from "../../api/store.ts"
import { dateTime, number, t } from "../../messages/messages.ts"
import { Chart } from "../../ui/chart.tsx"
import type { ChartSpec } from "../../ui/chart-layout.ts"
import { Page } from "../../ui/page.tsx"
import { type Column, Table } from "../../ui/table.tsx"
import "./developers.css"
import { costOf, PRICES } from "./prices.ts"
import { percentile, summarize, totalsByMinute, totalsByOperation, type UsageTotals } from "./usage-totals.ts"

const REFRESH_MS = 15_000
const P50 = 0.5
const P95 = 0.95
const HOUR_MS = 3_600_000

const formatDollars = (cost: number) =>
  number(cost, { style: "currency", currency: "USD", minimumFractionDigits: 2, maximumFractionDigits: 9 })

type Operation = ReturnType<typeof totalsByOperation>[number]

const columns = (hasRowCounts: boolean): Column<Operation>[] => [
  {
    key: "operation",
    title: t("developers:usage.operation"),
    render: ({ operation }) => (
      <code dir="ltr" class="operation">
        {operation}
      </code>
    ),
  },
  { key: "calls", title: t("developers:usage.calls"), numeric: true, render: ({ totals }) => number(totals.calls) },
  {
    key: "p50",
    title: t("developers:usage.p50"),
    numeric: true,
    render: ({ totals }) => number(percentile(totals, P50)),
  },
  {
    key: "p95",
    title: t("developers:usage.p95"),
    numeric: true,
    render: ({ totals }) => number(percentile(totals, P95)),
  },
  ...(hasRowCounts
    ? [
        {
          key: "read",
          title: t("developers:usage.read"),
          numeric: true,
          render: ({ totals }: Operation) => number(totals.rowsRead),
        },
        {
          key: "written",
          title: t("developers:usage.written"),
          numeric: true,
          render: ({ totals }: Operation) => number(totals.rowsWritten),
        },
      ]
    : []),
  {
    key: "cost",
    title: t("developers:usage.cost"),
    numeric: true,
    render: ({ totals }) => formatDollars(costOf(totals)),
  },
]

/** API usage of this tab in the last hour, measured from the responses. */
export default function Usage() {
  const responses = useStore(responseLog)
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS)
    return () => clearInterval(timer)
  }, [responses])
  const minutes = totalsByMinute(responses, now).map(({ at, totals }) => ({
    at: dateTime(new Date(at), { timeStyle: "short" }),
    totals,
  }))
  const recent = responses.filter(({ at }) => at > now - HOUR_MS)
  const total = summarize(recent)
  const hasRowCounts = recent.some(({ rowsRead }) => rowsRead !== undefined)
  /** A chart by minute. Each series has a message key and a value per minute; undefined: a gap. */
  const minuteChart = (
    name: string,
    kind: ChartSpec["kind"],
    series: readonly [message: string, getValue: (totals: UsageTotals) => number | undefined][],
  ) => (
    <Chart
      title={t(`developers:usage.${name}.title`)}
      description={t(`developers:usage.${name}.about`)}
      kind={kind}
      axis={t("developers:usage.minute")}
      series={series.map(([message]) => t(`developers:usage.${message}`))}
      labels={minutes.map(({ at }) => at)}
      points={series.flatMap(([message, getValue]) =>
        minutes.flatMap(({ at, totals }) => {
          const value = getValue(totals)
          return value === undefined ? [] : [{ series: t(`developers:usage.${message}`), at, value }]
        }),
      )}
      filename={`usage-${name}`}
    />
  )
  const ifAnyCalls = (getValue: (totals: UsageTotals) => number | undefined) => (totals: UsageTotals) =>
    totals.calls > 0 ? getValue(totals) : undefined
  return (
    <Page title={t("nav.usage")}>
      <section class="card" aria-labelledby="hour">
        <h2 id="hour">{t("developers:usage.hour")}</h2>
        <dl class="facts">
          <dt>{t("developers:usage.calls")}</dt>
          <dd>{number(total.calls)}</dd>
          {total.limit !== undefined && total.remaining !== undefined && (
            <>
              <dt>{t("developers:usage.remaining")}</dt>
              <dd>{t("developers:usage.remaining.of", { shown: number(total.remaining), of: number(total.limit) })}</dd>
            </>
          )}
          {hasRowCounts && (
            <>
              <dt>{t("developers:usage.read")}</dt>
              <dd>{number(total.rowsRead)}</dd>
              <dt>{t("developers:usage.written")}</dt>
              <dd>{number(total.rowsWritten)}</dd>
            </>
          )}
          <dt>{t("developers:usage.cost")}</dt>
          <dd>{formatDollars(costOf(total))}</dd>
        </dl>
        <p class="quiet">
          {t("developers:usage.prices", {
            requests: formatDollars(PRICES.requests),
            read: formatDollars(PRICES.rowsRead),
            written: formatDollars(PRICES.rowsWritten),
            day: dateTime(new Date(PRICES.asOf), { dateStyle: "medium", timeZone: "UTC" }),
          })}
        </p>
        {!hasRowCounts && <p>{t("developers:usage.no-rows")}</p>}
      </section>
      {minuteChart("calls", "stacked bars", [
        ["allowed", ({ calls, rateLimited }) => calls - rateLimited],
        ["rate-limited", ({ rateLimited }) => rateLimited],
      ])}
      {minuteChart("limit", "lines", [["remaining", ifAnyCalls(({ remaining }) => remaining)]])}
      {hasRowCounts && minuteChart("rows-read", "bars", [["read", ({ rowsRead }) => rowsRead]])}
      {hasRowCounts && minuteChart("rows-written", "bars", [["written", ({ rowsWritten }) => rowsWritten]])}
      {minuteChart("latency", "lines", [
        ["p50", ifAnyCalls((totals) => percentile(totals, P50))],
        ["p95", ifAnyCalls((totals) => percentile(totals, P95))],
      ])}
      <section aria-labelledby="operations">
        <h2 id="operations">{t("developers:usage.operations")}</h2>
        <Table
          caption={t("developers:usage.operations")}
          columns={columns(hasRowCounts)}
          rows={totalsByOperation(recent)}
          keyOf={({ operation }) => operation}
        />
      </section>
    </Page>
  )
}
