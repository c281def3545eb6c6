import { z } from "@hono/zod-openapi"
import { id, keepIfNone, list, optional } from "../../lib/input/input.ts"
import { normalizedString, normalizeText } from "../../lib/text/text.ts"

const ENTRY = /^(?:[^\s@]{1,64}@)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/

const toEntry = (value: string) =>
  normalizeText(value)
    .toLowerCase()
    .replace(/^(@|\*\.)/, "")

/** An address or a domain. `@example.com` and `*.example.com` mean the domain. */
const entry = () =>
  normalizedString(toEntry, 254)
    .pipe(z.string().regex(ENTRY, { error: "must be an email address or a domain such as example.com" }))
    .openapi({ type: "string", example: "example.com" })

const entries = () => list(entry()).transform((values) => [...new Set(values)].sort())

export const emailRulesQuery = z.object({
  portalId: optional(id()).openapi({
    type: "integer",
    minimum: 1,
    description: "Returns the lists of this portal. Defaults to the academy-wide lists",
  }),
})

export const emailRuleLists = z
  .object({ blocked: z.array(z.string()), allowed: z.array(z.string()) })
  .openapi("BlockedEmailsAndDomains")

export const emailRuleChanges = z
  .object({
    portalId: optional(id()),
    blocked: keepIfNone(entries()).openapi({ type: "array", items: { type: "string" } }),
    allowed: keepIfNone(entries()).openapi({ type: "array", items: { type: "string" } }),
  })
  .openapi("BlockedEmailsAndDomainsChanges")
export type EmailRuleChanges = z.output<typeof emailRuleChanges>
