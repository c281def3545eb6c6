import { z } from "@hono/zod-openapi"
import { id, optional } from "../../lib/input/input.ts"
import { listQuery, listResponse, optionalPaging } from "../../lib/input/list-query.ts"
import { identifier, userSourceColumns, userSourceFields } from "./user-source-fields.ts"

export const newUserSource = z.object(userSourceFields.create).openapi("NewUserSource")
export type NewUserSource = z.output<typeof newUserSource>

export const userSourceChanges = z.object(userSourceFields.change).openapi("UserSourceChanges")
export type UserSourceChanges = z.output<typeof userSourceChanges>

export const userSource = userSourceColumns.row.openapi("UserSource")

export const userSourcesQuery = z.object({
  ...optionalPaging,
  portalId: optional(id()).openapi({
    type: "integer",
    description: "Accepted for older clients; all portals have the same sources",
  }),
})
export const allUserSources = z.object({ records: z.array(userSource) })

export const userSourceListQuery = listQuery(Object.keys(userSourceColumns.sort), {
  identifier: optional(identifier),
})
export const userSourceList = listResponse(userSource)
