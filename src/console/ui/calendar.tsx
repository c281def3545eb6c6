import { useEffect, useId, useRef, useState } from "preact/hooks"
import { dateTime, number, t } from "../messages/messages.ts"
import "../styles/calendar.css"
import { Dialog } from "./dialog.tsx"
import { addDays, addMonths, keyOf, type Month, monthKeyOf } from "./month.ts"
import { useAddress } from "./url-state.ts"

/** What stands in a calendar. */
export interface CalendarEntry {
  at: Date
  until: Date
  title: string
  href: string
  /** How it looks; its words say so too. */
  tone?: "quiet" | "good" | "danger"
}

interface CalendarProps {
  /** What the calendar is of. */
  caption: string
  /** From `useMonth`, by which the view knows what to ask for. */
  month: Month
  /** Of the month's weeks. */
  entries: readonly CalendarEntry[]
  /** They are on their way. */
  busy?: boolean
}

/** Entries that a day of the table shows; the others open in a dialog. */
const SHOWN = 3
const NARROW = "(max-width: 48rem)"

/** The entries of each day that they touch. One that ends at midnight does not touch the day that begins. */
function byDay(entries: readonly CalendarEntry[], { from, until }: Month): Map<string, CalendarEntry[]> {
  const days = new Map<string, CalendarEntry[]>()
  for (const entry of [...entries].sort((a, b) => a.at.getTime() - b.at.getTime())) {
    const end = Math.min(Math.max(entry.until.getTime(), entry.at.getTime() + 1), until.getTime())
    for (let day = addDays(entry.at > from ? entry.at : from, 0); day.getTime() < end; day = addDays(day, 1))
      days.set(keyOf(day), [...(days.get(keyOf(day)) ?? []), entry])
  }
  return days
}

const clock = (at: Date) => dateTime(at, { timeStyle: "short" })
const named = (day: Date) => dateTime(day, { weekday: "long", day: "numeric", month: "long", year: "numeric" })
const span = ({ at, until }: CalendarEntry) =>
  keyOf(at) === keyOf(until) ? `${clock(at)} – ${clock(until)}` : `${dateTime(at)} – ${dateTime(until)}`

/** An entry in a list of a day's. */
const EntryLine = ({ entry }: { entry: CalendarEntry }) => (
  <li>
    <a class="entry" data-tone={entry.tone} href={entry.href}>
      <span class="entry-time">{span(entry)}</span> <bdi>{entry.title}</bdi>
    </a>
  </li>
)

/** Is the screen so narrow that days do not fit side by side? */
function useNarrow(): boolean {
  const [narrow, setNarrow] = useState(() => matchMedia(NARROW).matches)
  useEffect(() => {
    const query = matchMedia(NARROW)
    const follow = () => setNarrow(query.matches)
    query.addEventListener("change", follow)
    return () => query.removeEventListener("change", follow)
  }, [])
  return narrow
}

/** Where an arrow or its neighbors lead from a day; undefined: it is another key. */
function stepOf(key: string, day: Date, week: readonly Date[]): Date | undefined {
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

interface DaysProps {
  labeledBy: string
  month: Month
  days: ReadonlyMap<string, CalendarEntry[]>
  today: string
  goTo: (month: Date) => void
  onMore: (day: Date) => void
}

/** The month as a table. One day is in the tab order, its entries with it; arrows lead to the others. */
function Days({ labeledBy, month, days, today, goTo, onMore }: DaysProps) {
  const grid = useRef<HTMLTableElement>(null)
  const [asked, setAsked] = useState<string>()
  const keys = month.weeks.flat().map(keyOf)
  const first = keyOf(month.first)
  const fallback = today.startsWith(monthKeyOf(month.first)) ? today : first
  const active = asked && keys.includes(asked) ? asked : fallback
  const toFocus = useRef(false)
  useEffect(() => {
    if (!toFocus.current) return
    toFocus.current = false
    grid.current?.querySelector<HTMLElement>(`[data-day="${active}"]`)?.focus()
  }, [active, first])
  const onKeyDown = (event: KeyboardEvent, day: Date, week: readonly Date[]) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const next = stepOf(event.key, day, week)
    if (!next) return
    event.preventDefault()
    toFocus.current = true
    setAsked(keyOf(next))
    const isOther = event.key.startsWith("Page") || !keys.includes(keyOf(next))
    if (isOther) goTo(next)
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
          <tr key={keyOf(week[0] ?? month.first)}>
            {week.map((day) => {
              const key = keyOf(day)
              const within = days.get(key) ?? []
              const tabIndex = key === active ? 0 : -1
              return (
                <td
                  key={key}
                  // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: its table is a grid
                  role="gridcell"
                  data-day={key}
                  data-outside={monthKeyOf(day) !== monthKeyOf(month.first)}
                  aria-current={key === today ? "date" : undefined}
                  tabIndex={tabIndex}
                  onFocus={() => setAsked(key)}
                  onKeyDown={(event) => onKeyDown(event, day, week)}
                >
                  <time dateTime={key} class="day">
                    <span aria-hidden="true">{dateTime(day, { day: "numeric" })}</span>
                    <span class="unseen">{named(day)}</span>
                  </time>
                  {within.length > 0 && (
                    <ul>
                      {within.slice(0, SHOWN).map((entry) => (
                        <li key={`${entry.href} ${entry.at.getTime()}`}>
                          <a class="entry" data-tone={entry.tone} href={entry.href} tabIndex={tabIndex}>
                            <span class="entry-time">{keyOf(entry.at) === key ? clock(entry.at) : "…"}</span>{" "}
                            <bdi>{entry.title}</bdi>
                          </a>
                        </li>
                      ))}
                    </ul>
                  )}
                  {within.length > SHOWN && (
                    <button type="button" class="plain" tabIndex={tabIndex} onClick={() => onMore(day)}>
                      {t("calendar.more", { count: within.length - SHOWN, shown: number(within.length - SHOWN) })}
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

/** The days of the month that have entries, one under the other. */
function Agenda({ month, days, today }: Pick<DaysProps, "month" | "days" | "today">) {
  const listed = month.weeks.flat().filter((day) => monthKeyOf(day) === monthKeyOf(month.first) && days.has(keyOf(day)))
  if (listed.length === 0) return <p class="empty">{t("calendar.empty")}</p>
  return (
    <ol class="agenda">
      {listed.map((day) => (
        <li key={keyOf(day)} aria-current={keyOf(day) === today ? "date" : undefined}>
          <h3>
            <time dateTime={keyOf(day)}>{named(day)}</time>
          </h3>
          <ul>
            {days.get(keyOf(day))?.map((entry) => (
              <EntryLine key={`${entry.href} ${entry.at.getTime()}`} entry={entry} />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  )
}

/**
 * A month, which the address holds; where the screen is narrow, the days that have entries.
 *
 * A table of our own: the calendar libraries style themselves by elements that they add, which the policy refuses.
 */
export function Calendar({ caption, month, entries, busy = false }: CalendarProps) {
  const { change } = useAddress()
  const id = useId()
  const narrow = useNarrow()
  const [more, setMore] = useState<Date>()
  const today = keyOf(new Date())
  const days = byDay(entries, month)
  const goTo = (day: Date) => change({ month: monthKeyOf(day) })
  return (
    <section class="calendar-page" aria-label={caption} aria-busy={busy}>
      <div class="calendar-head">
        <h2 id={id} aria-live="polite">
          {dateTime(month.first, { month: "long", year: "numeric" })}
        </h2>
        <div class="actions">
          <button type="button" onClick={() => goTo(addMonths(month.first, -1))}>
            {t("calendar.previous")}
          </button>
          <button type="button" onClick={() => change({ month: undefined })}>
            {t("calendar.today")}
          </button>
          <button type="button" onClick={() => goTo(addMonths(month.first, 1))}>
            {t("calendar.next")}
          </button>
        </div>
      </div>
      {narrow ? (
        <Agenda month={month} days={days} today={today} />
      ) : (
        <Days labeledBy={id} month={month} days={days} today={today} goTo={goTo} onMore={setMore} />
      )}
      {more && (
        <Dialog title={named(more)} onClose={() => setMore(undefined)}>
          <ul class="agenda">
            {days.get(keyOf(more))?.map((entry) => (
              <EntryLine key={`${entry.href} ${entry.at.getTime()}`} entry={entry} />
            ))}
          </ul>
        </Dialog>
      )}
    </section>
  )
}
