import { z } from "@hono/zod-openapi"
import { ADDRESS_TYPES, addresses } from "../../../drizzle/schema/addresses.ts"
import {
  boolean,
  clearable,
  id,
  keepIfNone,
  keepIfNull,
  name,
  optional,
  requiredText,
  text,
} from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import type { NotNull } from "../../lib/spreadsheet/common-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"

/** The types as `default-address` takes them. */
export const SHOWN_TYPES = ["billing_address", "shipping_address"] as const

/** Clients also send codes of digits as numbers. */
const zipcode = z
  .preprocess((value) => (typeof value === "number" ? String(value) : value), requiredText(20))
  .openapi({ type: "string", minLength: 1, maxLength: 20 })

const required = <T extends z.ZodType>(schema: T, source: NotNull<string>) => ({
  create: schema,
  change: keepIfNull(schema),
  answer: column(source, z.string()),
})
const textOrEmpty = (max: number, source: NotNull<string>) => ({
  create: optional(text(max)),
  change: clearable(text(max), ""),
  answer: column(source, z.string()),
})

export const addressFields = recordFields(addresses, {
  fullName: required(name(), addresses.fullName),
  orgName: textOrEmpty(255, addresses.orgName),
  orgVatId: textOrEmpty(50, addresses.orgVatId),
  addressLine1: required(requiredText(255), addresses.addressLine1),
  addressLine2: textOrEmpty(255, addresses.addressLine2),
  zipcode: required(zipcode, addresses.zipcode),
  city: required(requiredText(100), addresses.city),
  state: textOrEmpty(100, addresses.state),
  country: required(requiredText(100), addresses.country),
  isDefault: { create: boolean(), change: keepIfNone(boolean()), answer: column(addresses.isDefault, z.boolean()) },
  billing_address_id: {
    column: "billingAddressId",
    create: optional(id()).openapi({
      type: "integer",
      description: "Of a shipping address: the billing address of the same user that it belongs to",
    }),
    change: clearable(id()).openapi({
      type: ["integer", "null"],
      description: "As in addAddress; a billing address may name itself",
    }),
    answer: column(addresses.billingAddressId, z.number().int().nullable()),
  },
})

/** The columns of an address. */
export const addressColumns = listColumns({
  id: column(addresses.id, z.number().int()),
  ...addressFields.answers,
  addresstype: column(
    addresses.type,
    z.enum(SHOWN_TYPES).openapi({ description: "The type as default-address takes it" }),
    { show: (type) => `${type}_address` as const },
  ),
  type: column(addresses.type, z.enum(ADDRESS_TYPES)),
  userId: column(addresses.userId, z.number().int()),
})
