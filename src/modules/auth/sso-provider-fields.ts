import { z } from "@hono/zod-openapi"
import { ssoProviders } from "../../../drizzle/schema/sso.ts"
import {
  boolean,
  choice,
  clearable,
  id,
  jsonObject,
  keepIfNone,
  keepIfNull,
  line,
  list,
  name,
  optional,
  requiredText,
  withDefault,
} from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import {
  integerColumn,
  type NotNull,
  nameColumn,
  sortedTextColumn,
  textColumn,
} from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import type { BaseUrlContext } from "../../lib/web/answers.ts"
import { backchannelLogoutUrl, callbackUrl, startUrl } from "./sso-addresses.ts"
import { CLAIMED_ROLES } from "./sso-mapping.ts"

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
      "userMetaKey. emailVerified: the claim says, like email_verified, that the address is verified. " +
      "given_name, family_name, picture and email_verified are mapped by default.",
  })

const claimName = () => line(200).openapi({ type: "string", maxLength: 200 })

const MAX_MAPPED = 100
const claimMap = <T extends z.ZodType>(target: T) =>
  jsonObject(
    z
      .record(z.string().min(1).max(200), target)
      .refine((value) => Object.keys(value).length <= MAX_MAPPED, { error: `must have ${MAX_MAPPED} values or fewer` }),
  )

const roles = () =>
  claimMap(choice(CLAIMED_ROLES)).openapi({
    type: "object",
    additionalProperties: { type: "string", enum: [...CLAIMED_ROLES] },
    example: { "lms-admins": "admin" },
    description:
      "Maps the values of roleClaim to user types, at every sign-in: the highest one applies, general without a " +
      "mapped value. Only roles that the caller may assign; never owner; not for a portal's provider",
  })
const groupMap = () =>
  claimMap(id()).openapi({
    type: "object",
    additionalProperties: { type: "integer" },
    example: { engineering: 1 },
    description:
      "Maps the values of groupClaim to IDs of groups. Every sign-in makes the person a member of their groups, and " +
      "of no other mapped one",
  })

const UPDATE = "Every sign-in updates the name, the avatar and the custom fields of claims; otherwise only the first"
const END = "Signing out leads to the provider, to sign out there as well (RP-initiated logout)"
const FORCE =
  "Users that it signs in (by portal and domain) can't use a password, except owners. Requires an owner with a password"
const CREATE = "Creates an account at the first sign-in, with the user type general; otherwise it only matches accounts"

const sortedBooleanColumn = (source: NotNull<boolean>) => column(source, z.boolean(), { sort: { sorted: source } })

export const ssoProviderFields = recordFields(ssoProviders, {
  name: {
    create: name().openapi({ type: "string", example: "Example Corp", description: "The label of the button" }),
    change: keepIfNull(name()),
    answer: nameColumn(ssoProviders.name),
  },
  slug: { create: optional(slug()), change: keepIfNone(slug()), answer: textColumn(ssoProviders.slug) },
  issuer: {
    create: issuer(),
    change: keepIfNull(issuer()).openapi({
      type: "string",
      format: "uri",
      description: "Another issuer or clientId deletes the links between the provider's people and users",
    }),
    answer: sortedTextColumn(ssoProviders.issuer),
  },
  clientId: {
    create: clientId(),
    change: keepIfNull(clientId()),
    answer: sortedTextColumn(ssoProviders.clientId),
  },
  // Stored encrypted and never returned.
  clientSecret: {
    create: optional(clientSecret()).openapi({
      type: "string",
      format: "password",
      description: "Stored encrypted and never returned; omit it for a public client",
    }),
    change: clearable(clientSecret()).openapi({
      type: ["string", "null"],
      format: "password",
      description: "Omitted: unchanged; null or empty: a public client",
    }),
  },
  scopes: {
    create: withDefault(scopes(), "openid email profile"),
    change: keepIfNull(scopes()),
    answer: sortedTextColumn(ssoProviders.scopes),
  },
  portalId: {
    create: optional(id()).openapi({ type: "integer", description: "The portal of the provider; none: the academy" }),
    change: clearable(id()).openapi({ type: ["integer", "null"], description: "null: the academy" }),
    answer: column(ssoProviders.portalId, z.number().int().nullable()),
  },
  domains: {
    create: withDefault(domains(), []),
    change: keepIfNone(domains()),
    answer: column(ssoProviders.domains, z.array(z.string())),
  },
  claims: {
    create: withDefault(claims(), {}),
    change: keepIfNone(claims()),
    answer: column(ssoProviders.claims, z.record(z.string(), z.string())),
  },
  roleClaim: {
    create: withDefault(claimName(), ""),
    change: clearable(claimName(), ""),
    answer: textColumn(ssoProviders.roleClaim),
  },
  roles: {
    create: withDefault(roles(), {}),
    change: keepIfNone(roles()),
    answer: column(ssoProviders.roles, z.record(z.string(), z.enum(CLAIMED_ROLES))),
  },
  groupClaim: {
    create: withDefault(claimName(), ""),
    change: clearable(claimName(), ""),
    answer: textColumn(ssoProviders.groupClaim),
  },
  groups: {
    create: withDefault(groupMap(), {}),
    change: keepIfNone(groupMap()),
    answer: column(ssoProviders.groups, z.record(z.string(), z.number().int())),
  },
  update: {
    column: "updates",
    create: withDefault(boolean(), false).openapi({ type: "boolean", description: UPDATE }),
    change: keepIfNone(boolean()).openapi({ type: "boolean", description: UPDATE }),
    answer: sortedBooleanColumn(ssoProviders.updates),
  },
  endSession: {
    column: "endsSession",
    create: withDefault(boolean(), false).openapi({ type: "boolean", description: END }),
    change: keepIfNone(boolean()).openapi({ type: "boolean", description: END }),
    answer: sortedBooleanColumn(ssoProviders.endsSession),
  },
  create: {
    column: "creates",
    create: withDefault(boolean(), false).openapi({ type: "boolean", description: CREATE }),
    change: keepIfNone(boolean()).openapi({ type: "boolean", description: CREATE }),
    answer: sortedBooleanColumn(ssoProviders.creates),
  },
  force: {
    column: "forced",
    create: withDefault(boolean(), false).openapi({ type: "boolean", description: FORCE }),
    change: keepIfNone(boolean()).openapi({ type: "boolean", description: FORCE }),
    answer: sortedBooleanColumn(ssoProviders.forced),
  },
  active: {
    create: withDefault(boolean(), true).openapi({ type: "boolean", description: "Inactive providers sign no one in" }),
    change: keepIfNone(boolean()),
    answer: sortedBooleanColumn(ssoProviders.active),
  },
})

/** The columns of the list of providers and of a single provider. */
export const ssoProviderColumns = listColumns({
  id: integerColumn(ssoProviders.id),
  ...ssoProviderFields.answers,
  hasClientSecret: column(ssoProviders.clientSecret, z.boolean(), { show: (secret) => secret !== null }),
  startUrl: column(ssoProviders.slug, z.string(), { show: (slug, { base }: BaseUrlContext) => startUrl(base, slug) }),
  logoutUrl: column(ssoProviders.slug, z.string(), {
    show: (slug, { base }: BaseUrlContext) => backchannelLogoutUrl(base, slug),
  }),
  callbackUrl: column(ssoProviders.slug, z.string(), {
    show: (slug, { base }: BaseUrlContext) => callbackUrl(base, slug),
  }),
  created_at: dateColumn(ssoProviders.createdAt, { sorted: ssoProviders.createdAt }),
})
