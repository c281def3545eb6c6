import { z } from "@hono/zod-openapi"
import { dateOrNever, displayDate } from "../text/dates.ts"
import { column } from "./columns.ts"
import type { NotNull } from "./common-columns.ts"

/** The date of a moment that every row has. */
export const dateColumn = (at: NotNull<number>) => column(at, z.string(), { show: displayDate, sort: at })

/** The date of a moment that may be yet to come; stored as 0 until then. */
export const dateOrNeverColumn = (at: NotNull<number>) =>
  column(at, z.string().openapi({ example: "Jan 05, 2026", description: "A date, or Never" }), {
    show: dateOrNever,
    sort: at,
  })
