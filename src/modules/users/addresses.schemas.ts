import { z } from "@hono/zod-openapi"
import { ADDRESS_TYPES } from "../../../drizzle/schema/addresses.ts"
import {
  boolean,
  choice,
  clearable,
  id,
  keepIfNone,
  keepIfNull,
  name,
  optional,
  requiredText,
  text,
} from "../../lib/input/input.ts"

/** The types as answers have them beside. */
const SHOWN_TYPES = ["billing_address", "shipping_address"] as const

/** Clients send codes of digits as numbers too. */
const zipcode = z
  .preprocess((value) => (typeof value === "number" ? String(value) : value), requiredText(20))
  .openapi({ type: "string", minLength: 1, maxLength: 20 })

const required = {
  fullName: name(),
  addressLine1: requiredText(255),
  zipcode,
  city: requiredText(100),
  country: requiredText(100),
  isDefault: boolean(),
}

const others = {
  addressLine2: optional(text(255)),
  orgName: optional(text(255)),
  orgVatId: optional(text(50)),
  state: optional(text(100)),
  userId: optional(id()).openapi({ type: "integer", description: "As in the path; any other user is refused" }),
  billing_address_id: optional(id()).openapi({
    type: "integer",
    description: "Of a shipping address: the billing address of the same user that it belongs to",
  }),
}

export const newAddress = z
  .object({
    ...required,
    ...others,
    type: optional(choice(ADDRESS_TYPES)).openapi({ type: "string", enum: [...ADDRESS_TYPES], default: "billing" }),
  })
  .openapi("NewAddress")
export type NewAddress = z.output<typeof newAddress>

export const addressChanges = z
  .object({
    fullName: keepIfNull(name()),
    addressLine1: keepIfNull(requiredText(255)),
    zipcode: keepIfNull(zipcode),
    city: keepIfNull(requiredText(100)),
    country: keepIfNull(requiredText(100)),
    isDefault: keepIfNone(boolean()),
    addressLine2: clearable(text(255), ""),
    orgName: clearable(text(255), ""),
    orgVatId: clearable(text(50), ""),
    state: clearable(text(100), ""),
    userId: others.userId,
    billing_address_id: clearable(id()).openapi({
      type: ["integer", "null"],
      description: "As in addAddress; a billing address may name itself",
    }),
    type: keepIfNone(choice(ADDRESS_TYPES)).openapi({
      type: "string",
      description: "An address keeps the type it was made with",
    }),
  })
  .openapi("AddressChanges")
export type AddressChanges = z.output<typeof addressChanges>

export const address = z
  .object({
    id: z.number().int(),
    isDefault: z.boolean(),
    fullName: z.string(),
    orgName: z.string(),
    orgVatId: z.string(),
    addressLine1: z.string(),
    addressLine2: z.string(),
    zipcode: z.string(),
    city: z.string(),
    state: z.string(),
    country: z.string(),
    addresstype: z.enum(SHOWN_TYPES).openapi({ description: "The type as default-address takes it" }),
    type: z.enum(ADDRESS_TYPES),
    billing_address_id: z.number().int().nullable(),
    userId: z.number().int(),
  })
  .openapi("Address")

export const addressList = z.array(address)

export const defaultAddressQuery = z.object({
  type: choice([...SHOWN_TYPES, ...ADDRESS_TYPES])
    .transform((type): (typeof ADDRESS_TYPES)[number] => (type.startsWith("billing") ? "billing" : "shipping"))
    .openapi({ type: "string", enum: [...SHOWN_TYPES] }),
})
