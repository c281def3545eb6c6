import { z } from "@hono/zod-openapi"
import { id, optional, requiredIds } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { ssoProviderColumns, ssoProviderFields } from "./sso-provider-fields.ts"

export const newSsoProvider = z.object(ssoProviderFields.create).openapi("NewSsoProvider")
export type NewSsoProvider = z.output<typeof newSsoProvider>

export const ssoProviderChanges = z.object(ssoProviderFields.change).openapi("SsoProviderChanges")
export type SsoProviderChanges = z.output<typeof ssoProviderChanges>

export const ssoProvider = ssoProviderColumns.row.openapi("SsoProvider")

export const ssoProviderListQuery = listQuery(Object.keys(ssoProviderColumns.sort), {
  portalId: optional(id()).openapi({ type: "integer", description: "A portal's providers" }),
})
export const ssoProviderList = listResponse(ssoProvider)

export const unlinking = z.object({ provider_id: id(), user_ids: requiredIds() }).openapi("SsoUnlinking")
export type Unlinking = z.output<typeof unlinking>
