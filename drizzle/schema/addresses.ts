import { sql } from "drizzle-orm"
import { type AnySQLiteColumn, index, integer, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { bool, checkedTable, createdAt, id, version } from "./columns.ts"
import { users } from "./users.ts"

export const ADDRESS_TYPES = ["billing", "shipping"] as const
export type AddressType = (typeof ADDRESS_TYPES)[number]

/** Billing and shipping addresses. Optional texts are empty. */
export const addresses = checkedTable(
  "addresses",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    type: text("type", { enum: ADDRESS_TYPES }).notNull(),
    isDefault: bool("is_default").notNull(),
    fullName: text("full_name").notNull(),
    orgName: text("org_name").notNull().default(""),
    orgVatId: text("org_vat_id").notNull().default(""),
    addressLine1: text("address_line1").notNull(),
    addressLine2: text("address_line2").notNull().default(""),
    zipcode: text("zipcode").notNull(),
    city: text("city").notNull(),
    state: text("state").notNull().default(""),
    country: text("country").notNull(),
    /** For a shipping address: the billing address of the same user that it belongs to. */
    billingAddressId: integer("billing_address_id").references((): AnySQLiteColumn => addresses.id, {
      onDelete: "set null",
    }),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    index("addresses_user").on(table.userId, table.type),
    // A user has at most one default address per type, even with parallel writes.
    uniqueIndex("addresses_default").on(table.userId, table.type).where(sql`${table.isDefault} = 1`),
    index("addresses_billing").on(table.billingAddressId).where(sql`${table.billingAddressId} is not null`),
  ],
)
