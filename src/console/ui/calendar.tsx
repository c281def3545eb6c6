import { CalendarDays, ChevronLeft, ChevronRight } from "lucide-preact"
import { useEffect, useId, useRef, useState } from "preact/hooks"
import { dateTime, number, t } from "../messages/messages.ts"
import { EmptyState } from "./empty-state.tsx"
import "../styles/calendar.css"
import { Dialog } from "./dialog.tsx"
import { addDays, addMonths, dayKey, type Month, monthKey } from "./month.ts"
import { useUrlState } from "./url-state.ts"

export interface CalendarEntry {
  at: Date
  until: Date
  title: string
  href: string
  /** Color; the title must say the same. */
  tone?: "quiet" | "good" | "danger"
}

interface CalendarProps {
  /** Accessible name. */
  caption: string
  /** From `useMonth`; the view loads its entries for the same range. */
  month: Month
  entries: readonly CalendarEntry[]
  /** The entries are loading. */
  busy?: boolean
}

/** Entries shown in a day cell; a dialog shows the others. */
const MAX_ENTRIES_PER_DAY = 3
const NARROW_SCREEN = "(max-width: 48rem)"

/** Entries by day. An entry that ends at midnight does not belong to the next day. */
function groupByDay(entries: readonly CalendarEntry[], { from, until }: Month): Map<string, CalendarEntry[]> {
  const days = new Map<string, CalendarEntry[]>()
  for (const entry of [...entries].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    const end = Math.min(Math.max(entry.until.getTime(), entry.at.getTime() + 1), until.getTime())
    for (let day = addDays(entry.at > from ? entry.at : from, 0); day.getTime() < end; day = addDays(day, 1))
      days.set(dayKey(day), [...(days.get(dayKey(day)) ?? []), entry])
  }
  return days
}

const formatTime = (at: Date) => dateTime(at, { timeStyle: "short" })
const formatDay = (day: Date) => dateTime(day, { weekday: "long", day: "numeric", month: "long", year: "numeric" })
const formatRange = ({ at, until }: CalendarEntry) =>
  dayKey(at) === dayKey(until) ? `${formatTime(at)} – ${formatTime(until)}` : `${dateTime(at)} – ${dateTime(until)}`

const EntryLine = ({ entry }: { entry: CalendarEntry }) => (
  <li>
    <a class="entry" data-tone={entry.tone} href={entry.href}>
      <span class="entry-time">{formatRange(entry)}</span> <bdi>{entry.title}</bdi>
    </a>
  </li>
)

/** Whether the screen is too narrow for a month grid. */
function useIsNarrow(): boolean {
  const [isNarrow, setIsNarrow] = useState(() => matchMedia(NARROW_SCREEN).matches)
  useEffect(() => {
    const query = matchMedia(NARROW_SCREEN)
    const update = () => setIsNarrow(query.matches)
    query.addEventListener("change", update)
    return () => query.removeEventListener("change", update)
  }, [])
  return isNarrow
}

/** The day that a navigation key leads to; undefined: the key does not navigate. */
function dayAfterKey(key: string, day: Date, week: readonly Date[]): Date | undefined {
  const forward = document.documentElement.dir === "rtl" ? "ArrowLeft" : "ArrowRight"
  const back = forward === "ArrowRight" ? "ArrowLeft" : "ArrowRight"
  if (key === forward) return addDays(day, 1)
  if (key === back) return addDays(day, -1)
  if (key === "ArrowDown") return addDays(day, 7)
  if (key === "ArrowUp") return addDays(day, -7)
  if (key === "Home") return week[0]
  if (key === "End") return week.at(-1)
  if (key === "PageDown") return addMonths(day, 1)
  if (key === "PageUp") return addMonths(day, -1)
  return undefined
}

interface MonthGridProps {
  labeledBy: string
  month: Month
  days: ReadonlyMap<string, CalendarEntry[]>
  today: string
  goTo: (month: Date) => void
  onMore: (day: Date) => void
}

/** The month as a grid. Only the active day and its entries are in the tab order; arrow keys move between days. */
function MonthGrid({ labeledBy, month, days, today, goTo, onMore }: MonthGridProps) {
  const grid = useRef<HTMLTableElement>(null)
  const [selected, setSelected] = useState<string>()
  const keys = month.weeks.flat().map(dayKey)
  const first = dayKey(month.first)
  const fallback = today.startsWith(monthKey(month.first)) ? today : first
  const active = selected && keys.includes(selected) ? selected : fallback
  const shouldFocus = useRef(false)
  useEffect(() => {
    if (!shouldFocus.current) return
    shouldFocus.current = false
    grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus()
  }, [active, first])
  const onKeyDown = (event: KeyboardEvent, day: Date, week: readonly Date[]) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const next = dayAfterKey(event.key, day, week)
    if (!next) return
    event.preventDefault()
    shouldFocus.current = true
    setSelected(dayKey(next))
    const isOtherMonth = event.key.startsWith("Page") || !keys.includes(dayKey(next))
    if (isOtherMonth) goTo(next)
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table whose cells take the focus
    <table ref={grid} class="calendar" role="grid" aria-labelledby={labeledBy}>
      <thead>
        <tr>
          {month.weeks[0]?.map((day) => (
            <th key={day.getDay()} scope="col" abbr={dateTime(day, { weekday: "long" })}>
              {dateTime(day, { weekday: "short" })}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {month.weeks.map((week) => (
          <tr key={dayKey(week[0] ?? month.first)}>
            {week.map((day) => {
              const key = dayKey(day)
              const dayEntries = days.get(key) ?? []
              const tabIndex = key === active ? 0 : -1
              return (
                <td
                  key={key}
                  // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its table is a grid
                  role="gridcell"
                  data-day={key}
                  data-outside={monthKey(day) !== monthKey(month.first)}
                  aria-current={key === today ? "date" : undefined}
                  tabIndex={tabIndex}
                  onFocus={() => setSelected(key)}
                  onKeyDown={(event) => onKeyDown(event, day, week)}
                >
                  <time dateTime={key} class="day">
                    <span aria-hidden="true">{dateTime(day, { day: "numeric" })}</span>
                    <span class="unseen">{formatDay(day)}</span>
                  </time>
                  {dayEntries.length > 0 && (
                    <ul>
                      {dayEntries.slice(0, MAX_ENTRIES_PER_DAY).map((entry) => (
                        <li key={`${entry.href} ${entry.at.getTime()}`}>
                          <a class="entry" data-tone={entry.tone} href={entry.href} tabIndex={tabIndex}>
                            <span class="entry-time">{dayKey(entry.at) === key ? formatTime(entry.at) : "…"}</span>{" "}
                            <bdi>{entry.title}</bdi>
                          </a>
                        </li>
                      ))}
                    </ul>
                  )}
                  {dayEntries.length > MAX_ENTRIES_PER_DAY && (
                    <button type="button" class="plain" tabIndex={tabIndex} onClick={() => onMore(day)}>
                      {t("calendar.more", {
                        count: dayEntries.length - MAX_ENTRIES_PER_DAY,
                        shown: number(dayEntries.length - MAX_ENTRIES_PER_DAY),
                      })}
                    </button>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The days of the month that have entries, as a list. */
function Agenda({ month, days, today }: Pick<MonthGridProps, "month" | "days" | "today">) {
  const daysWithEntries = month.weeks
    .flat()
    .filter((day) => monthKey(day) === monthKey(month.first) && days.has(dayKey(day)))
  if (daysWithEntries.length === 0) return <EmptyState icon={CalendarDays} text={t("calendar.empty")} />
  return (
    <ol class="agenda">
      {daysWithEntries.map((day) => (
        <li key={dayKey(day)} aria-current={dayKey(day) === today ? "date" : undefined}>
          <h3>
            <time dateTime={dayKey(day)}>{formatDay(day)}</time>
          </h3>
          <ul>
            {days.get(dayKey(day))?.map((entry) => (
              <EntryLine key={`${entry.href} ${entry.at.getTime()}`} entry={entry} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

/**
 * A month grid; on narrow screens, a list of the days that have entries. The URL stores the month.
 *
 * No calendar library: they inject style elements, which the content security policy blocks.
 */
export function Calendar({ caption, month, entries, busy = false }: CalendarProps) {
  const { change } = useUrlState()
  const id = useId()
  const isNarrow = useIsNarrow()
  const [expandedDay, setExpandedDay] = useState<Date>()
  const today = dayKey(new Date())
  const days = groupByDay(entries, month)
  const goTo = (day: Date) => change({ month: monthKey(day) })
  return (
    <section class="calendar-page" aria-label={caption} aria-busy={busy}>
      <div class="calendar-head">
        <h2 id={id} aria-live="polite">
          {dateTime(month.first, { month: "long", year: "numeric" })}
        </h2>
        <div class="actions">
          <button
            type="button"
            class="arrow"
            aria-label={t("calendar.previous")}
            onClick={() => goTo(addMonths(month.first, -1))}
          >
            <ChevronLeft size={18} aria-hidden />
          </button>
          <button type="button" onClick={() => change({ month: undefined })}>
            {t("calendar.today")}
          </button>
          <button
            type="button"
            class="arrow"
            aria-label={t("calendar.next")}
            onClick={() => goTo(addMonths(month.first, 1))}
          >
            <ChevronRight size={18} aria-hidden />
          </button>
        </div>
      </div>
      {isNarrow ? (
        <Agenda month={month} days={days} today={today} />
      ) : (
        <MonthGrid labeledBy={id} month={month} days={days} today={today} goTo={goTo} onMore={setExpandedDay} />
      )}
      {expandedDay && (
        <Dialog title={formatDay(expandedDay)} onClose={() => setExpandedDay(undefined)}>
          <ul class="agenda">
            {days.get(dayKey(expandedDay))?.map((entry) => (
              <EntryLine key={`${entry.href} ${entry.at.getTime()}`} entry={entry} />
            ))}
          </ul>
        </Dialog>
      )}
    </section>
  )
}
