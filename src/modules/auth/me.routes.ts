import { createApp, operation } from "../../http/operation.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { brandOf } from "../../lib/web/brand.ts"
import { academyTimeZone } from "../settings/settings.ts"
import { describeCaller } from "./me.queries.ts"
import { me as answer } from "./me.schemas.ts"

export const me = createApp()

me.openapi(
  operation({
    operationId: "getMe",
    method: "get",
    path: "/api/me",
    summary: "Retrieve the caller with their permissions and the academy",
    description: "Any API key may call this, regardless of its families.",
    tag: "Sessions",
    access: "general",
    signedIn: true,
    keys: "every",
    extension: true,
    revalidated: true,
    response: answer,
    errors: [404],
  }),
  async (c) => {
    const { settings, ...caller } = await describeCaller(c.var.db, c.var.caller)
    const { name: academy, logoUrl: academyLogoUrl } = brandOf(c.env, baseUrl(c), settings)
    const zone = academyTimeZone(settings, c.env)
    return c.json({ ...caller, academy, academyLogoUrl, academyTimeZone: zone }, 200)
  },
)
