import { z } from "@hono/zod-openapi"
import { KEY_ACCESS, KEY_SCOPES } from "../../../drizzle/schema/api-keys.ts"
import { TAGS } from "../../http/tags.ts"
import { ROLES } from "../../lib/caller.ts"
import {
  choice,
  clearable,
  id,
  keepIfNone,
  keepIfNull,
  list,
  moment,
  name,
  nonEmpty,
  optional,
  time,
} from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { apiKeyColumns } from "./api-key-columns.ts"

/** SCIM has a scope instead. */
const FAMILIES = Object.keys(TAGS).filter((tag) => tag !== "SCIM")

const role = () => choice(ROLES).openapi({ type: "string", enum: [...ROLES], example: "staff" })

const access = () =>
  choice(KEY_ACCESS).openapi({
    type: "string",
    enum: [...KEY_ACCESS],
    description: "read: only calls that change nothing; write: everything that the role may do",
  })

/** The names of families in any case, without duplicates, in alphabetical order. */
const families = () =>
  nonEmpty(
    list(z.string()).transform((names, context) => {
      const known = new Map(FAMILIES.map((family) => [family.toLowerCase(), family]))
      const unknown = names.filter((family) => !known.has(family.trim().toLowerCase()))
      if (unknown.length > 0)
        context.addIssue({
          code: "custom",
          message: `has unknown families of operations: ${unknown.join(", ")}. Use ${FAMILIES.join(", ")}`,
        })
      return [...new Set(names.flatMap((family) => known.get(family.trim().toLowerCase()) ?? []))].sort()
    }),
  )

const FAMILIES_SCHEMA = {
  type: ["array", "null"] as ["array", "null"],
  items: { type: "string" as const, enum: [...FAMILIES] },
  description: "The families of operations that it may call, named like the tags of this document; null: all",
}

/** Scopes in any case, without duplicates. */
const scopes = () =>
  list(choice(KEY_SCOPES))
    .transform((input) => [...new Set(input)])
    .refine((input) => input.length < 2 || !input.includes("scim"), { error: "scim must be the only scope" })

const SCOPES_SCHEMA = {
  type: "array" as const,
  items: { type: "string" as const, enum: [...KEY_SCOPES] },
  description:
    "Special permissions of the key beyond its role; none by default. credentials: it may set passwords and email " +
    "addresses and turn off two-factor authentication, of learners, or with all families of everyone below its role. " +
    "scim: it may call SCIM operations (/scim/v2) and no others",
}

export const newApiKey = z
  .object({
    name: name(),
    role: role(),
    access: access(),
    families: clearable(families()).openapi(FAMILIES_SCHEMA),
    scopes: optional(scopes()).openapi(SCOPES_SCHEMA),
    expires_at: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "Defaults to no expiry",
    }),
  })
  .openapi("NewApiKey")
export type NewApiKey = z.output<typeof newApiKey>

export const apiKeyChanges = z
  .object({
    name: keepIfNull(name()),
    role: keepIfNone(role()),
    access: keepIfNone(access()),
    families: clearable(families()).openapi(FAMILIES_SCHEMA),
    scopes: keepIfNone(scopes()).openapi(SCOPES_SCHEMA),
    expires_at: clearable(moment()).openapi({
      type: ["string", "null"],
      format: "date-time",
      description: "null or Never: no expiry",
    }),
  })
  .openapi("ApiKeyChanges")
export type ApiKeyChanges = z.output<typeof apiKeyChanges>

export const rotation = z.object({ id: id() }).openapi("ApiKeyRotation")

export const mintedKey = z
  .object({
    id: z.number().int(),
    key: z.string().openapi({ example: "lk_7_…", description: "Shown only once; it cannot be retrieved again" }),
    message: z.string(),
  })
  .openapi("MintedApiKey")

export const apiKey = apiKeyColumns.row.openapi("ApiKey")
export const apiKeyListQuery = listQuery(Object.keys(apiKeyColumns.sort), {})
export const apiKeyList = listResponse(apiKey)
