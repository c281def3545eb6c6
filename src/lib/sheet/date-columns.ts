import { z } from "@hono/zod-openapi"
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core"
import { dateOrNever, displayDate } from "../text/dates.ts"
import { column } from "./columns.ts"

type Moment = AnySQLiteColumn<{ data: number; notNull: true }>

/** The date of a moment that every row has. */
export const dateColumn = (at: Moment) => column(at, z.string(), { show: displayDate, sort: at })

/** The date of a moment that may be yet to come; stored as 0 until then. */
export const dateOrNeverColumn = (at: Moment) =>
  column(at, z.string().openapi({ example: "Jan 05, 2026", description: "A date, or Never" }), {
    show: dateOrNever,
    sort: at,
  })
