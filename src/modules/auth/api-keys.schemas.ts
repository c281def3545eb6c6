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

const FAMILIES = Object.keys(TAGS)

const role = () => choice(ROLES).openapi({ type: "string", enum: [...ROLES], example: "staff" })

const access = () =>
  choice(KEY_ACCESS).openapi({
    type: "string",
    enum: [...KEY_ACCESS],
    description: "read: calls that change nothing; write: all that the role may",
  })

/** Families by their names, in any case: each once, in alphabetical order. */
const families = () =>
  nonEmpty(
    list(z.string()).transform((given, context) => {
      const known = new Map(FAMILIES.map((family) => [family.toLowerCase(), family]))
      const unknown = given.filter((family) => !known.has(family.trim().toLowerCase()))
      if (unknown.length > 0)
        context.addIssue({
          code: "custom",
          message: `names no families of operations: ${unknown.join(", ")}. There are ${FAMILIES.join(", ")}`,
        })
      return [...new Set(given.flatMap((family) => known.get(family.trim().toLowerCase()) ?? []))].sort()
    }),
  )

const FAMILIES_TOLD = {
  type: ["array", "null"] as ["array", "null"],
  items: { type: "string" as const, enum: [...FAMILIES] },
  description: "The families that it may call, as the tags of this document; null: all",
}

/** Scopes in any case, each once. */
const scopes = () => list(choice(KEY_SCOPES)).transform((given) => [...new Set(given)])

const SCOPES_DESCRIBED = {
  type: "array" as const,
  items: { type: "string" as const, enum: [...KEY_SCOPES] },
  description:
    "What the key is trusted with beyond its role and families; nothing unless given. credentials: it sets passwords " +
    "and email addresses and turns two-factor off, of learners, and with all families of everybody below its role",
}

export const newApiKey = z
  .object({
    name: name(),
    role: role(),
    access: access(),
    families: clearable(families()).openapi(FAMILIES_TOLD),
    scopes: optional(scopes()).openapi(SCOPES_DESCRIBED),
    expires_at: optional(time()).openapi({
      type: "string",
      format: "date-time",
      description: "Left out: it holds until it is deleted",
    }),
  })
  .openapi("NewApiKey")
export type NewApiKey = z.output<typeof newApiKey>

export const apiKeyChanges = z
  .object({
    name: keepIfNull(name()),
    role: keepIfNone(role()),
    access: keepIfNone(access()),
    families: clearable(families()).openapi(FAMILIES_TOLD),
    scopes: keepIfNone(scopes()).openapi(SCOPES_DESCRIBED),
    expires_at: clearable(moment()).openapi({
      type: ["string", "null"],
      format: "date-time",
      description: "null or Never: it holds until it is deleted",
    }),
  })
  .openapi("ApiKeyChanges")
export type ApiKeyChanges = z.output<typeof apiKeyChanges>

export const rotation = z.object({ id: id() }).openapi("ApiKeyRotation")

export const mintedKey = z
  .object({
    id: z.number().int(),
    key: z.string().openapi({ example: "lk_7_…", description: "Told this once, and kept nowhere" }),
    message: z.string(),
  })
  .openapi("MintedApiKey")

export const apiKey = apiKeyColumns.row.openapi("ApiKey")
export const apiKeyListQuery = listQuery(Object.keys(apiKeyColumns.sort), {})
export const apiKeyList = listResponse(apiKey)
