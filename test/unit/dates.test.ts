import { describe, expect, it, vi } from "vitest"
import {
  displayDate,
  displayDateTime,
  parseMoment,
  plainDateTime,
  relativeTime,
  shiftDate,
} from "../../src/lib/text/dates.ts"

describe("parsing a date", () => {
  it("assumes UTC unless an offset is given", () => {
    const noon = Date.UTC(2026, 0, 5, 12)
    for (const text of [
      "2026-01-05 12:00",
      "2026-01-05 12:00:00",
      "2026-01-05T12:00:00Z",
      "2026-01-05T12:00:00.000Z",
      "2026-01-05T14:00:00+02:00",
      "2026-01-05T06:30:00-0530",
      " 2026-01-05T12:00 ",
    ])
      expect(parseMoment(text)?.at, text).toBe(noon)
    expect(parseMoment("2026-01-05")?.at).toBe(Date.UTC(2026, 0, 5))
  })

  it("refuses days, hours, years and offsets that do not exist", () => {
    for (const text of [
      "2026-02-30",
      "2025-02-29",
      "2026-13-01",
      "2026-01-05 24:01",
      "2026-01-05 10:60",
      "2026-01-05 10:00:60",
      "0026-01-05",
      "2026-01-05T10:00:00+15:00",
      "2026-01-05T10:00:00+02:75",
      "05.01.2026",
      "tomorrow",
      "",
    ])
      expect(parseMoment(text)?.at, text).toBeUndefined()
  })
})

describe("a time that is sent back as it was shown", () => {
  const stored = Date.UTC(2026, 0, 5, 15, 4, 33, 210)
  const becomes = (given: string) => shiftDate(stored, parseMoment(given) ?? { at: 0, length: 0 })

  it("remains as stored, to the millisecond", () => {
    for (const show of [displayDate, displayDateTime, plainDateTime]) expect(becomes(show(stored))).toBe(stored)
  })

  it("changes if the text names another time, or this one exactly", () => {
    expect(becomes("Jan 06, 2026")).toBe(Date.UTC(2026, 0, 6))
    expect(becomes("Jan 05, 2026 03:03 PM")).toBe(Date.UTC(2026, 0, 5, 15, 3))
    expect(becomes("2026-01-05")).toBe(Date.UTC(2026, 0, 5))
    expect(becomes("2026-01-05 15:04")).toBe(Date.UTC(2026, 0, 5, 15, 4))
  })
})

describe("displaying a date", () => {
  it("shows the month's name and the 12-hour clock", () => {
    expect(displayDate(Date.UTC(2026, 0, 5))).toBe("Jan 05, 2026")
    expect(displayDateTime(Date.UTC(2026, 0, 5, 15, 4))).toBe("Jan 05, 2026 03:04 PM")
    expect(displayDateTime(Date.UTC(2026, 11, 31, 0, 5))).toBe("Dec 31, 2026 12:05 AM")
    expect(displayDateTime(Date.UTC(2026, 11, 31, 12, 0))).toBe("Dec 31, 2026 12:00 PM")
  })

  it("shows how long ago it was", () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 5) })
    const ago = (seconds: number) => relativeTime(Date.now() - seconds * 1000)
    expect([ago(0), ago(59), ago(60), ago(5 * 60), ago(3600), ago(23 * 3600), ago(86_400), ago(3 * 86_400)]).toEqual([
      "just now",
      "just now",
      "1 minute ago",
      "5 minutes ago",
      "1 hour ago",
      "23 hours ago",
      "1 day ago",
      "3 days ago",
    ])
    expect([relativeTime(0), relativeTime(null)]).toEqual(["Never", "Never"])
  })
})
