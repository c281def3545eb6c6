import { z } from "@hono/zod-openapi"
import {
  boolean,
  clearable,
  id,
  jsonObject,
  keepIfNone,
  keepIfNull,
  line,
  list,
  name,
  optional,
  requiredIds,
  requiredText,
  withDefault,
} from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { ssoProviderColumns } from "./sso-provider-columns.ts"

const lowered = (value: unknown) => (typeof value === "string" ? value.trim().toLowerCase() : value)

const slug = () =>
  z
    .preprocess(
      lowered,
      z
        .string()
        .max(100)
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: "must be small letters and digits with single dashes between" }),
    )
    .openapi({
      type: "string",
      maxLength: 100,
      example: "corp",
      description:
        "Unique; the provider's part of /sso/{provider}/start and /callback. Made from the name unless given",
    })

const issuer = () =>
  requiredText(300).openapi({
    type: "string",
    format: "uri",
    example: "https://accounts.google.com",
    description:
      "The provider's own name for itself, to the letter: an https URL below which its discovery document is",
  })

const clientId = () =>
  requiredText(255).openapi({ type: "string", maxLength: 255, description: "This service's id at the provider" })

const clientSecret = () =>
  z
    .string()
    .trim()
    .min(1)
    .max(500)
    .regex(/^[\x21-\x7e]+$/, { error: "must be printable characters without spaces" })
    .openapi({ type: "string", format: "password", maxLength: 500 })

const scopes = () =>
  line(200)
    .transform((given) => [...new Set(["openid", ...given.split(" ").filter(Boolean)])].join(" "))
    .openapi({
      type: "string",
      example: "openid email profile",
      description: "Separated by blanks; always with openid",
    })

const domain = z.preprocess(
  (value) => (typeof value === "string" ? value.trim().toLowerCase().replace(/^@/, "") : value),
  z
    .string()
    .max(253)
    .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9]$/, { error: "must be a domain such as example.com" }),
)
const domains = () =>
  list(domain, 100)
    .transform((given) => [...new Set(given)])
    .openapi({
      type: "array",
      items: { type: "string" },
      maxItems: 100,
      example: ["example.com"],
      description: "Whose email addresses it signs in, each domain without those below it; empty: any",
    })

/** What a claim may fill beside the custom fields. */
export const CLAIMED_FIELDS = ["firstName", "lastName", "avatar", "emailVerified"] as const

const claims = () =>
  jsonObject(
    z
      .record(z.string().min(1).max(200), z.string().trim().min(1).max(100))
      .refine((given) => Object.keys(given).length <= 50, { error: "must name 50 claims or fewer" }),
  ).openapi({
    type: "object",
    additionalProperties: { type: "string" },
    example: { department: "department", xms_edov: "emailVerified" },
    description:
      "Which field of a new user each claim fills: firstName, lastName, avatar, or a custom field by its " +
      "user_meta_key; emailVerified: the claim says, as email_verified does, that the address is verified. " +
      "given_name, family_name, picture and email_verified need not be named.",
  })

const FORCE =
  "Those whom it signs in (by portal and by domain) may not use a password; owners may. Needs an owner with a password"
const CREATE = "Makes an account at the first sign-in, with the user type general; else it only finds accounts"

export const newSsoProvider = z
  .object({
    name: name().openapi({ type: "string", example: "Example Corp", description: "What the button says" }),
    slug: optional(slug()),
    issuer: issuer(),
    clientId: clientId(),
    clientSecret: optional(clientSecret()).openapi({
      type: "string",
      format: "password",
      description: "Sealed, and never answered; none: a public client",
    }),
    scopes: withDefault(scopes(), "openid email profile"),
    portalId: optional(id()).openapi({ type: "integer", description: "The portal that it is for; none: the academy" }),
    domains: withDefault(domains(), []),
    claims: withDefault(claims(), {}),
    create: withDefault(boolean(), false).openapi({ type: "boolean", description: CREATE }),
    force: withDefault(boolean(), false).openapi({ type: "boolean", description: FORCE }),
    active: withDefault(boolean(), true).openapi({
      type: "boolean",
      description: "Only an active one signs anybody in",
    }),
  })
  .openapi("NewSsoProvider")
export type NewSsoProvider = z.output<typeof newSsoProvider>

export const ssoProviderChanges = z
  .object({
    name: keepIfNull(name()),
    slug: keepIfNone(slug()),
    issuer: keepIfNull(issuer()).openapi({
      type: "string",
      format: "uri",
      description: "Another one, or another clientId, undoes the links between the provider's people and users",
    }),
    clientId: keepIfNull(clientId()),
    clientSecret: clearable(clientSecret()).openapi({
      type: ["string", "null"],
      format: "password",
      description: "Left out: as it is; null or empty: a public client",
    }),
    scopes: keepIfNull(scopes()),
    portalId: clearable(id()),
    domains: keepIfNone(domains()),
    claims: keepIfNone(claims()),
    create: keepIfNone(boolean()).openapi({ type: "boolean", description: CREATE }),
    force: keepIfNone(boolean()).openapi({ type: "boolean", description: FORCE }),
    active: keepIfNone(boolean()),
  })
  .openapi("SsoProviderChanges")
export type SsoProviderChanges = z.output<typeof ssoProviderChanges>

export const ssoProvider = ssoProviderColumns.row.openapi("SsoProvider")

export const ssoProviderListQuery = listQuery(Object.keys(ssoProviderColumns.sort), {
  portalId: optional(id()).openapi({ type: "integer", description: "A portal's providers" }),
})
export const ssoProviderList = listResponse(ssoProvider)

export const unlinking = z.object({ provider_id: id(), user_ids: requiredIds() }).openapi("SsoUnlinking")
export type Unlinking = z.output<typeof unlinking>
