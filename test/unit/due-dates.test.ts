import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { DueDateRule, RecurrenceRule } from "../../drizzle/schema/assignment-rules.ts"
import { DAY, HOUR } from "../../src/lib/clock.ts"
import { wallTimeOf } from "../../src/lib/text/zones.ts"
import { addMonths, dayAt, dueDate, endOfDay, nextCycle, nextDueDate } from "../../src/modules/progress/due-dates.ts"

const ZONES = [
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Sao_Paulo",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Pacific/Apia",
  // Clocks go forward at midnight.
  "America/Asuncion",
  "Africa/Cairo",
  // Clocks go back at midnight.
  "America/Havana",
]
const zone = fc.constantFrom(...ZONES)
const instant = fc.integer({ min: Date.UTC(2000, 0, 1), max: Date.UTC(2060, 0, 1) })
const day = fc.integer({ min: 10_957, max: 32_872 })

const at = (text: string) => Date.parse(text)
const days = (count: number): DueDateRule => ({ type: "days", days: count, from: "assignment" })
const due = (rule: DueDateRule, assignedAt: string, options: { zone?: string; skip?: boolean; field?: string } = {}) =>
  new Date(
    dueDate(
      { due: rule, skipWeekends: options.skip ?? false },
      { assignedAt: at(assignedAt), zone: options.zone ?? "UTC", fieldDate: options.field ?? null },
    ),
  ).toISOString()
const local = (time: number, zone: string) => new Date(wallTimeOf(time, zone)).toISOString()

describe("the end of a day", () => {
  it("is the last millisecond with that date on the clocks of the zone", () => {
    fc.assert(
      fc.property(day, zone, (day, zone) => {
        const end = endOfDay(day, zone)
        expect(dayAt(end, zone)).toBe(day)
        expect(dayAt(end + 1, zone)).toBe(day + 1)
      }),
    )
  })

  it("is found where clocks change at midnight", () => {
    // On October 6, 2024 clocks in Asuncion went from 0:00 to 1:00, on November 3, 2024 in Havana from 1:00 to 0:00.
    expect(
      local(endOfDay(dayAt(at("2024-10-05T12:00:00Z"), "America/Asuncion"), "America/Asuncion"), "America/Asuncion"),
    ).toBe("2024-10-05T23:59:59.999Z")
    expect(
      local(endOfDay(dayAt(at("2024-11-02T12:00:00Z"), "America/Havana"), "America/Havana"), "America/Havana"),
    ).toBe("2024-11-02T23:59:59.999Z")
  })
})

describe("the first due date", () => {
  it("is the end of the date in the zone of the person", () => {
    const rule: DueDateRule = { type: "date", date: "2027-03-14" }
    expect(due(rule, "2026-11-26T08:00:00Z")).toBe("2027-03-14T23:59:59.999Z")
    expect(due(rule, "2026-11-26T08:00:00Z", { zone: "America/New_York" })).toBe("2027-03-15T03:59:59.999Z")
    expect(due(rule, "2026-11-26T08:00:00Z", { zone: "Asia/Tokyo" })).toBe("2027-03-14T14:59:59.999Z")
  })

  it("counts days on the calendar of the person", () => {
    // In Tokyo it is already the 27th.
    expect(due(days(30), "2026-11-26T20:00:00Z")).toBe("2026-12-26T23:59:59.999Z")
    expect(due(days(30), "2026-11-26T20:00:00Z", { zone: "Asia/Tokyo" })).toBe("2026-12-27T14:59:59.999Z")
    expect(due(days(0), "2026-11-26T20:00:00Z")).toBe("2026-11-26T23:59:59.999Z")
  })

  it("counts from the date of the person, or without one from the assignment", () => {
    const rule: DueDateRule = { type: "days", days: 14, from: "field", field: "hired" }
    expect(due(rule, "2026-11-26T08:00:00Z", { field: "2026-11-01" })).toBe("2026-11-15T23:59:59.999Z")
    expect(due(rule, "2026-11-26T08:00:00Z")).toBe("2026-12-10T23:59:59.999Z")
    expect(due(rule, "2026-11-26T08:00:00Z", { field: "next spring" })).toBe("2026-12-10T23:59:59.999Z")
  })

  it("moves from a weekend to Monday if the rule says so", () => {
    const dates = ["2026-11-27", "2026-11-28", "2026-11-29", "2026-11-30"]
    expect(
      dates.map((date) => due({ type: "date", date }, "2026-11-01T00:00:00Z", { skip: true }).slice(0, 10)),
    ).toEqual(["2026-11-27", "2026-11-30", "2026-11-30", "2026-11-30"])
  })

  it("is 0 without a due date", () => {
    const none = { due: { type: "none" } as const, skipWeekends: true }
    expect(dueDate(none, { assignedAt: at("2026-11-26"), zone: "UTC" })).toBe(0)
  })

  it("is a whole number of local days after the assignment, whatever clocks do between", () => {
    fc.assert(
      fc.property(instant, zone, fc.integer({ min: 0, max: 800 }), fc.boolean(), (assignedAt, zone, count, skip) => {
        const dueAt = dueDate({ due: days(count), skipWeekends: skip }, { assignedAt, zone })
        const passed = dayAt(dueAt, zone) - dayAt(assignedAt, zone)
        const weekday = new Date(dayAt(dueAt, zone) * DAY).getUTCDay()
        expect(local(dueAt, zone)).toMatch(/T23:59:59.999Z$/)
        expect(passed).toBeGreaterThanOrEqual(count)
        expect(passed).toBeLessThanOrEqual(skip ? count + 2 : count)
        if (skip) expect([0, 6]).not.toContain(weekday)
        expect(dueAt).toBeGreaterThanOrEqual(assignedAt)
      }),
    )
  })
})

describe("adding months", () => {
  const iso = (day: number) => new Date(day * DAY).toISOString().slice(0, 10)
  const plus = (date: string, months: number) => iso(addMonths(at(date) / DAY, months))

  it("takes the last day of a shorter month", () => {
    expect(plus("2027-01-31", 1)).toBe("2027-02-28")
    expect(plus("2027-01-31", 13)).toBe("2028-02-29")
    expect(plus("2028-02-29", 12)).toBe("2029-02-28")
    expect(plus("2028-02-29", 48)).toBe("2032-02-29")
    expect(plus("2026-08-31", 6)).toBe("2027-02-28")
    expect(plus("2026-12-31", 1)).toBe("2027-01-31")
  })

  it("keeps the day of the month unless the month is shorter, and never skips a month", () => {
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 120 }), (day, months) => {
        const [from, to] = [new Date(day * DAY), new Date(addMonths(day, months) * DAY)]
        const passed = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
        expect(passed).toBe(months)
        if (to.getUTCDate() !== from.getUTCDate()) {
          expect(to.getUTCDate()).toBeLessThan(from.getUTCDate())
          expect(new Date(to.getTime() + DAY).getUTCDate()).toBe(1)
        }
      }),
    )
  })
})

const months = (count: number, opensDaysBefore: number): RecurrenceRule => ({
  type: "months",
  months: count,
  opensDaysBefore,
})
const yearly = (month: number, day: number, opensDaysBefore: number): RecurrenceRule => ({
  type: "yearly",
  month,
  day,
  opensDaysBefore,
})
const endOf = (date: string, zone = "UTC") => endOfDay(at(date) / DAY, zone)
const next = (recurrence: RecurrenceRule, due: string | undefined, completed: string) =>
  new Date(nextDueDate(recurrence, due ? endOf(due) : 0, at(completed), "UTC")).toISOString().slice(0, 10)

describe("the next due date", () => {
  it("counts from the due date if the cycle was completed within its window", () => {
    expect(next(months(12, 30), "2027-03-31", "2027-03-01T10:00:00Z")).toBe("2028-03-31")
    expect(next(months(12, 30), "2027-03-31", "2027-03-31T23:00:00Z")).toBe("2028-03-31")
    expect(next(yearly(3, 31, 30), "2027-03-31", "2027-03-05T10:00:00Z")).toBe("2028-03-31")
  })

  it("counts from the completion if it was early or late", () => {
    expect(next(months(12, 30), "2027-03-31", "2027-02-28T10:00:00Z")).toBe("2028-02-28")
    expect(next(months(12, 30), "2027-03-31", "2027-04-15T10:00:00Z")).toBe("2028-04-15")
    expect(next(months(12, 30), undefined, "2027-04-15T10:00:00Z")).toBe("2028-04-15")
  })

  it("takes the last day of February for the 29th, the 30th and the 31st", () => {
    expect(next(yearly(2, 29, 0), undefined, "2027-01-10T10:00:00Z")).toBe("2027-02-28")
    expect(next(yearly(2, 29, 0), undefined, "2027-03-10T10:00:00Z")).toBe("2028-02-29")
    expect(next(months(6, 0), "2027-08-31", "2027-08-31T12:00:00Z")).toBe("2028-02-29")
    expect(next(months(12, 0), "2028-02-29", "2028-02-29T12:00:00Z")).toBe("2029-02-28")
  })

  it("skips a date whose window was already open when a late learner completed", () => {
    expect(next(yearly(1, 31, 60), "2026-01-31", "2026-11-20T10:00:00Z")).toBe("2027-01-31")
    expect(next(yearly(1, 31, 60), "2026-01-31", "2026-12-15T10:00:00Z")).toBe("2028-01-31")
  })

  it("leaves the due date of the assignment to those whose completion has lapsed", () => {
    expect(next(months(12, 30), "2027-01-15", "2023-05-01T10:00:00Z")).toBe("2027-01-15")
  })

  it("moves from a weekend to Monday if the rule says so", () => {
    const cycle = nextCycle(months(12, 7), {
      previousDueAt: 0,
      completedAt: at("2025-11-28T10:00:00Z"),
      zone: "UTC",
      skipWeekends: true,
    })
    expect(new Date(cycle.dueAt).toISOString()).toBe("2026-11-30T23:59:59.999Z")
    expect(new Date(cycle.opensAt).toISOString()).toBe("2026-11-23T00:00:00.000Z")
  })

  it("opens after the completion, and is due at the end of a later day in the zone", () => {
    const recurrence = fc.oneof(
      fc
        .integer({ min: 1, max: 60 })
        .chain((count) => fc.integer({ min: 0, max: count * 28 - 1 }).map((opens) => months(count, opens))),
      fc.record({
        type: fc.constant("yearly" as const),
        month: fc.integer({ min: 1, max: 12 }),
        day: fc.integer({ min: 1, max: 31 }),
        opensDaysBefore: fc.integer({ min: 0, max: 300 }),
      }),
    )
    fc.assert(
      fc.property(
        recurrence,
        zone,
        instant,
        fc.integer({ min: -500, max: 500 }),
        (recurrence, zone, completedAt, offset) => {
          const previousDueAt = endOfDay(dayAt(completedAt, zone) + offset, zone)
          for (const previous of [0, previousDueAt]) {
            const { opensAt, dueAt } = nextCycle(recurrence, { previousDueAt: previous, completedAt, zone })
            expect(local(dueAt, zone)).toMatch(/T23:59:59.999Z$/)
            expect(dueAt).toBeGreaterThanOrEqual(previous)
            expect(dueAt).toBeGreaterThan(completedAt)
            expect(opensAt).toBeGreaterThan(completedAt)
            expect(opensAt).toBeLessThanOrEqual(dueAt)
            // A window is a number of local days, whatever clocks do.
            const window = dayAt(dueAt, zone) - dayAt(opensAt, zone)
            if (dueAt > previous) expect(window).toBe(recurrence.opensDaysBefore)
            if (recurrence.type === "yearly") expect(dueAt - completedAt).toBeLessThan(1100 * DAY + HOUR)
          }
        },
      ),
    )
  })
})
