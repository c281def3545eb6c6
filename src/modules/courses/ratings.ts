import { z } from "@hono/zod-openapi"
import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core"
import { column } from "../../lib/spreadsheet/columns.ts"

/** The average rating from the stored sum and count, rounded to two decimals; 0 if there are none. */
export const averageRating = ({ ratingSum, ratingCount }: { ratingSum: number; ratingCount: number }) =>
  ratingCount > 0 ? Math.round((100 * ratingSum) / ratingCount) / 100 : 0

/** `averageRating` as an SQL expression. */
export const averageRatingSql = (sum: SQLWrapper, count: SQLWrapper): SQL<number> =>
  sql<number>`iif(${count} > 0, round(1.0 * ${sum} / ${count}, 2), 0)`

/** The average rating as a list column. */
export const ratingColumn = (
  { ratingSum, ratingCount }: Record<"ratingSum" | "ratingCount", AnySQLiteColumn<{ data: number; notNull: true }>>,
  description: string,
) =>
  column({ ratingSum, ratingCount }, z.number().openapi({ description }), {
    show: averageRating,
    sort: { sorted: averageRatingSql(ratingSum, ratingCount) },
  })
