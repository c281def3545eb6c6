import { z } from "@hono/zod-openapi"
import type { SQLWrapper } from "drizzle-orm"
import type { Sorted } from "../../db/list/listing.ts"
import { dateOrNever, displayDate, displayDateTime, isoTime } from "../text/dates.ts"
import { column, isoSchema, isoSchemaOrNull, timeColumn } from "./columns.ts"
import type { NotNull } from "./common-columns.ts"
import type { Cell } from "./workbook.ts"

// Columns of times. Each but `updatedAtColumn` has the same time in ISO 8601 beside it: see `timeColumn`.

/** The date of a required timestamp. @param sort what it sorts by when the column has no index */
export const dateColumn = (at: NotNull<number>, sort: SQLWrapper | Sorted = at) =>
  timeColumn(at, z.string().openapi({ example: "Jan 05, 2026" }), isoSchema(), { show: displayDate, sort })

/**
 * The date of a timestamp that is 0 until it is set.
 */
export const dateOrNeverColumn = (
  at: NotNull<number>,
  more: { cell?: (at: number) => Cell; sort?: SQLWrapper | Sorted } = {},
) =>
  timeColumn(at, z.string().openapi({ example: "Jan 05, 2026", description: "A date, or Never" }), isoSchemaOrNull(), {
    show: dateOrNever,
    sort: at,
    ...more,
  })

/** The date and time of a required timestamp. @param sort what it sorts by when the column has no index */
export const dateTimeColumn = (at: NotNull<number>, sort: SQLWrapper | Sorted = at) =>
  timeColumn(at, z.string().openapi({ example: "Jan 05, 2026 03:04 PM" }), isoSchema(), { show: displayDateTime, sort })

/** When a visible field of the row last changed. @param sort what it sorts by when the column has no index */
export const updatedAtColumn = (at: NotNull<number>, sort: SQLWrapper | Sorted = at) =>
  column(at, isoSchema().openapi({ description: "When a field last changed" }), {
    show: isoTime,
    sort,
  })

/** The time zone of the local times in the same response. */
export const timeZoneAnswer = () =>
  z.string().openapi({
    example: "Europe/Berlin",
    description: "The IANA time zone of the class and of the times in this object",
  })

const count = () => z.number().int()

/** The response that `duration` makes. */
export const durationAnswer = z.object({ hours: count(), minutes: count(), seconds: count(), totalSeconds: count() })
