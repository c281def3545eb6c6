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
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, { error: "must contain only lowercase letters, digits and single hyphens" }),
    )
    .openapi({
      type: "string",
      maxLength: 100,
      example: "corp",
      description: "Unique; the provider's part of /sso/{provider}/start and /callback. Defaults to a slug of the name",
    })

const issuer = () =>
  requiredText(300).openapi({
    type: "string",
    format: "uri",
    example: "https://accounts.google.com",
    description: "The issuer exactly as the provider publishes it: an https URL under which its discovery document is",
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
    .transform((value) => [...new Set(["openid", ...value.split(" ").filter(Boolean)])].join(" "))
    .openapi({
      type: "string",
      example: "openid email profile",
      description: "Separated by spaces; openid is always added",
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
    .transform((values) => [...new Set(values)])
    .openapi({
      type: "array",
      items: { type: "string" },
      maxItems: 100,
      example: ["example.com"],
      description: "The domains of the email addresses that it signs in, without subdomains; empty: any",
    })

/** The fields that claims can fill in addition to custom fields. */
export const CLAIMED_FIELDS = ["firstName", "lastName", "avatar", "emailVerified"] as const

const claims = () =>
  jsonObject(
    z
      .record(z.string().min(1).max(200), z.string().trim().min(1).max(100))
      .refine((value) => Object.keys(value).length <= 50, { error: "must have 50 claims or fewer" }),
  ).openapi({
    type: "object",
    additionalProperties: { type: "string" },
    example: { department: "department", xms_edov: "emailVerified" },
    description:
      "Maps claims to fields of a new user: firstName, lastName, avatar, or a custom field by its " +
      "user_meta_key. emailVerified: the claim says, like email_verified, that the address is verified. " +
      "given_name, family_name, picture and email_verified are mapped by default.",
  })

const FORCE =
  "Users that it signs in (by portal and domain) can't use a password, except owners. Requires an owner with a password"
const CREATE = "Creates an account at the first sign-in, with the user type general; otherwise it only matches accounts"

export const newSsoProvider = z
  .object({
    name: name().openapi({ type: "string", example: "Example Corp", description: "The label of the button" }),
    slug: optional(slug()),
    issuer: issuer(),
    clientId: clientId(),
    clientSecret: optional(clientSecret()).openapi({
      type: "string",
      format: "password",
      description: "Stored encrypted and never returned; omit it for a public client",
    }),
    scopes: withDefault(scopes(), "openid email profile"),
    portalId: optional(id()).openapi({ type: "integer", description: "The portal of the provider; none: the academy" }),
    domains: withDefault(domains(), []),
    claims: withDefault(claims(), {}),
    create: withDefault(boolean(), false).openapi({ type: "boolean", description: CREATE }),
    force: withDefault(boolean(), false).openapi({ type: "boolean", description: FORCE }),
    active: withDefault(boolean(), true).openapi({ type: "boolean", description: "Inactive providers sign nobody in" }),
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
      description: "Another issuer or clientId deletes the links between the provider's people and users",
    }),
    clientId: keepIfNull(clientId()),
    clientSecret: clearable(clientSecret()).openapi({
      type: ["string", "null"],
      format: "password",
      description: "Omitted: unchanged; null or empty: a public client",
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
