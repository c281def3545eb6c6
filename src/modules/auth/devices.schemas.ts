import { z } from "@hono/zod-openapi"
import { id, optional } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { deviceColumns } from "./device-columns.ts"
import { session } from "./sessions.schemas.ts"

export const refreshRequest = z.object({
  refreshToken: z.string().min(1).max(2000).openapi({ description: "The newest refresh token of the device" }),
})

export const refreshedSession = session.required({ refreshToken: true })

export const devicesQuery = listQuery(Object.keys(deviceColumns.sort), {}).extend({
  user_id: optional(id()).openapi({
    type: "integer",
    minimum: 1,
    description: "For administrators: the user whose devices to list. Defaults to the caller",
  }),
})

export const deviceList = listResponse(deviceColumns.row.openapi("Device"))
