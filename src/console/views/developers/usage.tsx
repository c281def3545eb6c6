import { useEffect, useState } from "preact/hooks"
import { answers } from "../../api/response-log.ts"
import { useStore } from "../../api/store.ts"
import { dateTime, number, t } from "../../messages/messages.ts"
import { Figure } from "../../ui/chart.tsx"
import type { Drawing } from "../../ui/draw-chart.ts"
import { Page } from "../../ui/page.tsx"
import { type Column, Table } from "../../ui/table.tsx"
import "./developers.css"
import { costOf, PRICES } from "./prices.ts"
import { byMinute, byOperation, type Sum, sumOf, within } from "./usage-totals.ts"

const EVERY = 15_000
const MEDIAN = 0.5
const MOST = 0.95

const dollars = (cost: number) =>
  number(cost, { style: "currency", currency: "USD", minimumFractionDigits: 2, maximumFractionDigits: 9 })

type Operation = ReturnType<typeof byOperation>[number]

const columns = (tellsRows: boolean): Column<Operation>[] => [
  {
    key: "operation",
    title: t("developers:usage.operation"),
    render: ({ operation }) => (
      <code dir="ltr" class="operation">
        {operation}
      </code>
    ),
  },
  { key: "calls", title: t("developers:usage.calls"), numeric: true, render: ({ sum }) => number(sum.calls) },
  { key: "ms", title: t("developers:usage.p50"), numeric: true, render: ({ sum }) => number(within(sum, MEDIAN)) },
  { key: "most", title: t("developers:usage.p95"), numeric: true, render: ({ sum }) => number(within(sum, MOST)) },
  ...(tellsRows
    ? [
        {
          key: "read",
          title: t("developers:usage.read"),
          numeric: true,
          render: ({ sum }: Operation) => number(sum.read),
        },
        {
          key: "written",
          title: t("developers:usage.written"),
          numeric: true,
          render: ({ sum }: Operation) => number(sum.written),
        },
      ]
    : []),
  { key: "cost", title: t("developers:usage.cost"), numeric: true, render: ({ sum }) => dollars(costOf(sum)) },
]

/** What this browser's calls of the last hour cost, from the answers themselves. */
export default function Usage() {
  const all = useStore(answers)
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), EVERY)
    return () => clearInterval(timer)
  }, [all])
  const minutes = byMinute(all, now).map(({ at, sum }) => ({
    at: dateTime(new Date(at), { timeStyle: "short" }),
    sum,
  }))
  const shown = all.filter(({ at }) => at > now - 3_600_000)
  const total = sumOf(shown)
  const tellsRows = shown.some(({ read }) => read !== undefined)
  /** A figure of the minutes: a series by its message and its number; undefined: no number for that minute. */
  const figure = (
    name: string,
    kind: Drawing["kind"],
    series: readonly [message: string, of: (sum: Sum) => number | undefined][],
  ) => (
    <Figure
      title={t(`developers:usage.${name}.title`)}
      about={t(`developers:usage.${name}.about`)}
      kind={kind}
      axis={t("developers:usage.minute")}
      series={series.map(([message]) => t(`developers:usage.${message}`))}
      places={minutes.map(({ at }) => at)}
      points={series.flatMap(([message, of]) =>
        minutes.flatMap(({ at, sum }) => {
          const value = of(sum)
          return value === undefined ? [] : [{ series: t(`developers:usage.${message}`), at, value }]
        }),
      )}
      filename={`usage-${name}`}
    />
  )
  const ifAny = (of: (sum: Sum) => number | undefined) => (sum: Sum) => (sum.calls > 0 ? of(sum) : undefined)
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
          {tellsRows && (
            <>
              <dt>{t("developers:usage.read")}</dt>
              <dd>{number(total.read)}</dd>
              <dt>{t("developers:usage.written")}</dt>
              <dd>{number(total.written)}</dd>
            </>
          )}
          <dt>{t("developers:usage.cost")}</dt>
          <dd>{dollars(costOf(total))}</dd>
        </dl>
        <p class="quiet">
          {t("developers:usage.prices", {
            requests: dollars(PRICES.requests),
            read: dollars(PRICES.rowsRead),
            written: dollars(PRICES.rowsWritten),
            day: dateTime(new Date(PRICES.readOn), { dateStyle: "medium", timeZone: "UTC" }),
          })}
        </p>
        {!tellsRows && <p>{t("developers:usage.no-rows")}</p>}
      </section>
      {figure("calls", "stacked bars", [
        ["allowed", ({ calls, refused }) => calls - refused],
        ["rate-limited", ({ refused }) => refused],
      ])}
      {figure("limit", "lines", [["remaining", ifAny(({ remaining }) => remaining)]])}
      {tellsRows && figure("rows-read", "bars", [["read", ({ read }) => read]])}
      {tellsRows && figure("rows-written", "bars", [["written", ({ written }) => written]])}
      {figure("latency", "lines", [
        ["p50", ifAny((sum) => within(sum, MEDIAN))],
        ["p95", ifAny((sum) => within(sum, MOST))],
      ])}
      <section aria-labelledby="operations">
        <h2 id="operations">{t("developers:usage.operations")}</h2>
        <Table
          caption={t("developers:usage.operations")}
          columns={columns(tellsRows)}
          rows={byOperation(shown)}
          keyOf={({ operation }) => operation}
        />
      </section>
    </Page>
  )
}
