import { z } from "@hono/zod-openapi"
import { email, integer, json, line, name, optional } from "../../lib/input/input.ts"
import { CUSTOM_SCHEMA, GROUP_SCHEMA, LECTERN_SCHEMA, LIST_SCHEMA, USER_SCHEMA } from "./scim-names.ts"

// The inputs and responses of SCIM operations.

const id = z.string().openapi({ example: "47" })

const meta = (resourceType: string) =>
  z.object({
    resourceType: z.literal(resourceType),
    created: z.string().openapi({ format: "date-time" }),
    lastModified: z.string().openapi({ format: "date-time" }),
    location: z.string().openapi({ format: "uri" }),
    version: z.string().openapi({ example: 'W/"3-1k2j3h"', description: "The ETag" }),
  })

const customFields = z
  .record(z.string(), z.string())
  .openapi({ description: "Values of custom user fields by key", example: { employee_number: "1043" } })

const reference = z.object({ value: id, display: z.string(), $ref: z.string().openapi({ format: "uri" }) })

const portal = z.object({ value: id, display: z.string(), type: z.enum(["learner", "admin"]) })

/** ScimAttributes that a response may lack are optional: `attributes` and `excludedAttributes` limit them. */
export const userResource = z
  .object({
    schemas: z.array(z.string()),
    id,
    externalId: z.string().optional(),
    userName: z.string().optional().openapi({ description: "The email address", example: "ada@example.com" }),
    name: z.object({ formatted: z.string(), givenName: z.string(), familyName: z.string() }).partial().optional(),
    displayName: z.string().optional(),
    active: z.boolean().optional(),
    emails: z
      .array(z.object({ value: z.string(), type: z.literal("work"), primary: z.literal(true) }).partial())
      .optional()
      .openapi({ description: "Read-only: the userName" }),
    groups: z.array(reference.partial()).optional().openapi({ description: "Read-only; on request" }),
    [CUSTOM_SCHEMA]: customFields.optional(),
    [LECTERN_SCHEMA]: z
      .object({ portals: z.array(portal.partial()) })
      .partial()
      .optional(),
    meta: meta("User").partial().optional(),
  })
  .openapi("ScimUser")

export const groupResource = z
  .object({
    schemas: z.array(z.string()),
    id,
    externalId: z.string().optional(),
    displayName: z.string().optional(),
    members: z
      .array(reference.extend({ type: z.literal("User") }).partial())
      .optional()
      .openapi({ description: "In lists and after changes only for groups of up to 1,000 members" }),
    meta: meta("Group").partial().optional(),
  })
  .openapi("ScimGroup")

export const listOf = <T extends z.ZodType>(resource: T) =>
  z.object({
    schemas: z.array(z.literal(LIST_SCHEMA)),
    totalResults: z.number().int(),
    startIndex: z.number().int(),
    itemsPerPage: z.number().int(),
    Resources: z.array(resource),
  })

export const discovery = z.record(z.string(), json())

export const scimErrorBody = z
  .object({
    schemas: z.array(z.literal("urn:ietf:params:scim:api:messages:2.0:Error")),
    status: z.string().openapi({ example: "409" }),
    scimType: z.string().optional().openapi({ example: "uniqueness" }),
    detail: z.string(),
  })
  .openapi("ScimError")

/** Text that may be null or empty, which means none. */
const optionalText = (max: number) => optional(line(max))

/** An address. Another userName is refused with the reason. */
export const scimUserName = z
  .string()
  .refine((value) => email().safeParse(value).success, {
    error: "must be an email address: it is what people sign in with",
  })
  .pipe(email())

export const userNames = {
  givenName: optional(name()),
  familyName: optionalText(100),
  formatted: optionalText(255),
  displayName: optionalText(255),
}
export const externalId = optionalText(255)
export const groupName = name()

const userFields = {
  externalId: z.string().optional(),
  name: z.object({ givenName: z.string(), familyName: z.string(), formatted: z.string() }).partial().optional(),
  displayName: z.string().optional(),
  active: z.boolean().optional(),
  [CUSTOM_SCHEMA]: customFields.optional(),
  [LECTERN_SCHEMA]: z
    .object({ portals: z.array(z.object({ value: id })).openapi({ description: "Replaces the set of portals" }) })
    .optional(),
}

/** The bodies as documented. Handlers read them regardless of the case of names (scim-input.ts). */
export const userBody = z
  .object({
    schemas: z.array(z.string()),
    userName: z.string().openapi({ format: "email" }),
    ...userFields,
  })
  .openapi("ScimUserInput", {
    example: {
      schemas: [USER_SCHEMA],
      userName: "ada@example.com",
      externalId: "E-1043",
      name: { givenName: "Ada", familyName: "Byron" },
      active: true,
    },
  })
export const groupBody = z
  .object({
    schemas: z.array(z.string()),
    displayName: z.string(),
    externalId: z.string().optional(),
    members: z.array(z.object({ value: z.string() })).optional(),
  })
  .openapi("ScimGroupInput", {
    example: { schemas: [GROUP_SCHEMA], displayName: "Sales", members: [{ value: "47" }] },
  })
export const patchBody = z
  .object({
    schemas: z.array(z.string()),
    Operations: z.array(
      z.object({
        op: z.string().openapi({ enum: ["add", "replace", "remove"], description: "In any case" }),
        path: z.string().optional(),
        value: json().optional(),
      }),
    ),
  })
  .openapi("ScimPatch", {
    example: {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
      Operations: [{ op: "replace", path: "active", value: false }],
    },
  })

/** The most resources of a page. */
export const MAX_COUNT = 200
const DEFAULT_COUNT = 100

const attributes = {
  attributes: optional(z.string().max(2000)).openapi({ type: "string", description: "Only these, by commas" }),
  excludedAttributes: optional(z.string().max(2000)).openapi({ type: "string", description: "Not these, by commas" }),
}

/** A number that has a smallest value and is not refused below it (RFC 7644, section 3.4.2.4). */
const atLeast = (least: number, fallback: number) =>
  optional(integer(-1_000_000_000, 1_000_000_000))
    .transform((value) => Math.max(least, value ?? fallback))
    .openapi({ type: "integer", default: fallback })

export const resourceQuery = z.object(attributes)

export const scimListQuery = z.object({
  ...attributes,
  filter: optional(z.string().max(4000)).openapi({ type: "string", example: 'userName eq "ada@example.com"' }),
  startIndex: atLeast(1, 1),
  count: atLeast(0, DEFAULT_COUNT)
    .transform((count) => Math.min(count, MAX_COUNT))
    .openapi({ type: "integer", default: DEFAULT_COUNT, maximum: MAX_COUNT }),
  sortBy: optional(z.string().max(200)).openapi({ type: "string", example: "userName" }),
  sortOrder: optional(z.string().max(20)).openapi({ type: "string", enum: ["ascending", "descending"] }),
})
export type ScimListQuery = z.output<typeof scimListQuery>
