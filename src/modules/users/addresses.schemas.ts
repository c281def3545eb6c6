import { z } from "@hono/zod-openapi"
import { ADDRESS_TYPES } from "../../../drizzle/schema/addresses.ts"
import { choice, id, keepIfNone, optional } from "../../lib/input/input.ts"
import { addressColumns, addressFields, SHOWN_TYPES } from "./address-fields.ts"

const userId = optional(id()).openapi({
  type: "integer",
  description: "As in the path; any other user is refused",
})

export const newAddress = z
  .object({
    ...addressFields.create,
    userId,
    type: optional(choice(ADDRESS_TYPES)).openapi({ type: "string", enum: [...ADDRESS_TYPES], default: "billing" }),
  })
  .openapi("NewAddress")
export type NewAddress = z.output<typeof newAddress>

export const addressChanges = z
  .object({
    ...addressFields.change,
    userId,
    type: keepIfNone(choice(ADDRESS_TYPES)).openapi({
      type: "string",
      description: "Must equal the stored type, which cannot change",
    }),
  })
  .openapi("AddressChanges")
export type AddressChanges = z.output<typeof addressChanges>

export const address = addressColumns.row.openapi("Address")

export const addressList = z.array(address)

export const defaultAddressQuery = z.object({
  type: choice([...SHOWN_TYPES, ...ADDRESS_TYPES])
    .transform((type): (typeof ADDRESS_TYPES)[number] => (type.startsWith("billing") ? "billing" : "shipping"))
    .openapi({ type: "string", enum: [...SHOWN_TYPES] }),
})
