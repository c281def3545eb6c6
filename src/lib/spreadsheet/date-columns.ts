import { z } from "@hono/zod-openapi"
import type { SQLWrapper } from "drizzle-orm"
import type { Sorted } from "../../db/list.ts"
import { dateOrNever, displayDate, displayDateTime } from "../text/dates.ts"
import { column } from "./columns.ts"
import type { NotNull } from "./common-columns.ts"
import type { Cell } from "./workbook.ts"

/** The date of a moment that every row has. @param sort what it sorts by, where the column has no index */
export const dateColumn = (at: NotNull<number>, sort: SQLWrapper | Sorted = at) =>
  column(at, z.string().openapi({ example: "Jan 05, 2026" }), { show: displayDate, sort })

/**
 * The date of a moment that may be yet to come; stored as 0 until then.
 * @param more what a cell says instead, and what it sorts by
 */
export const dateOrNeverColumn = (
  at: NotNull<number>,
  more: { cell?: (at: number) => Cell; sort?: SQLWrapper | Sorted } = {},
) =>
  column(at, z.string().openapi({ example: "Jan 05, 2026", description: "A date, or Never" }), {
    show: dateOrNever,
    sort: at,
    ...more,
  })

/** The date and the time of a moment that every row has. @param sort what it sorts by, where another column tells */
export const dateTimeColumn = (at: NotNull<number>, sort: SQLWrapper | Sorted = at) =>
  column(at, z.string().openapi({ example: "Jan 05, 2026 03:04 PM" }), { show: displayDateTime, sort })

/** The zone of the wall-clock times beside it. */
export const timeZoneAnswer = () =>
  z
    .string()
    .openapi({ example: "Europe/Berlin", description: "The IANA time zone of the times beside it: the class's" })

const count = () => z.number().int()

/** What is answered of a length of time, as `duration` makes it. */
export const durationAnswer = z.object({ hours: count(), minutes: count(), seconds: count(), totalSeconds: count() })
