import { messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { publicLogoUrl } from "../../lib/web/brand.ts"
import { userPortalColumns } from "./portal-columns.ts"
import * as schemas from "./portals.schemas.ts"
import { createUserPortals, listUserPortals } from "./user-portals.queries.ts"

export const userPortals = createApp()

userPortals.openapi(
  operation({
    operationId: "createUserPortals",
    method: "post",
    path: "/api/user/portal-create",
    summary: "Create portals that a user administers",
    description:
      "clonePortalAdmins copies the administrators, cloneBrandingNotifications the logo, colors and mail settings " +
      "of the portal with the id portalId, or else of each portal's parent.",
    tag: "Portals",
    access: "admin",
    query: schemas.portalCreateQuery,
    body: schemas.portalCreate,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await createUserPortals(c.var.work, c.req.valid("json"), c.req.valid("query").portalId), 200),
)

userPortals.openapi(
  operation({
    operationId: "listUserPortals",
    method: "get",
    path: "/api/user/portals",
    summary: "List a user's portals",
    description: "For other users, supervisors see only the portals that they administer.",
    tag: "Portals",
    access: "general",
    query: schemas.userPortalsQuery,
    response: schemas.userPortalList,
    errors: [404],
  }),
  async (c) => {
    const found = await listUserPortals(c.var.db, c.var.caller, c.req.valid("query"))
    const origin = baseUrl(c)
    const siteLogo =
      publicLogoUrl(origin, found.find((portal) => portal.logoUrl)?.logoUrl) ?? `${origin}/assets/logo.svg`
    return c.json({ portals: found.map((portal) => userPortalColumns.toRow(portal)), siteLogo, baseUrl: origin }, 200)
  },
)
