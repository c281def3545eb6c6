import { z } from "@hono/zod-openapi"
import { invalid } from "../../lib/errors.ts"
import { DIRECTIONS } from "../../lib/input/list-query.ts"
import { readJson } from "../../lib/text/json.ts"

// A cursor is the position of a row in the order of a list.

type Order = { colName: string; direction: "asc" | "desc" }

/** The position of a row in the order. */
export interface Position {
  sort_key: string | number
  sort_id: number
}

const cursorShape = z.object({
  /** The column and the direction of the order. */
  c: z.string(),
  d: z.enum(DIRECTIONS),
  /** The sort key and the id of the row. */
  k: z.union([z.string(), z.number()]),
  i: z.number().int(),
  /** 1: toward the beginning. */
  b: z.union([z.literal(0), z.literal(1)]),
})
export type Cursor = z.output<typeof cursorShape>

export const encodeCursor = ({ colName: c, direction: d }: Order, { sort_key: k, sort_id: i }: Position, b: 0 | 1) =>
  Buffer.from(JSON.stringify({ c, d, k, i, b } satisfies Cursor)).toString("base64url")

/** @throws 422 for a cursor of another list or order */
export function decodeCursor(text: string, order: Order): Cursor {
  const { data } = cursorShape.safeParse(readJson(Buffer.from(text, "base64url").toString("utf8")))
  if (!data || data.c !== order.colName || data.d !== order.direction)
    throw invalid("cursor", "cursor does not belong to this list and order. Request the first page without a cursor.")
  return data
}
