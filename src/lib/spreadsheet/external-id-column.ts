import { z } from "@hono/zod-openapi"
import type { SQLWrapper } from "drizzle-orm"
import { externalIdSourceOf, externalIdsBySource, parseExternalIds } from "../../db/external-ids.ts"
import { type Caller, canSeeAllUsers } from "../caller.ts"
import { column } from "./columns.ts"

/** What the column's response depends on. */
export interface CallerContext {
  caller: Caller
}

/** The record's external id in the caller's system. A sheet has those of all systems. */
export const externalIdColumn = (object: Parameters<typeof externalIdsBySource>[0], id: SQLWrapper) =>
  column(
    externalIdsBySource(object, id),
    z.string().nullable().openapi({
      description: "An extension: the record's id in the caller's system; null below staff",
    }),
    {
      show: (json, { caller }: CallerContext) =>
        (canSeeAllUsers(caller) && parseExternalIds(json)[externalIdSourceOf(caller)]) || null,
      cell: (json) => Object.values(parseExternalIds(json)).join(", ") || null,
    },
  )
