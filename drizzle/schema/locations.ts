import { sql } from "drizzle-orm"
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { createdAt, id, searchText, version } from "./columns.ts"

/** Locations of classes. */
export const locations = sqliteTable(
  "locations",
  {
    id: id(),
    name: text("name").notNull(),
    addressLine1: text("address_line1").notNull().default(""),
    addressLine2: text("address_line2").notNull().default(""),
    city: text("city").notNull().default(""),
    state: text("state").notNull().default(""),
    zipcode: text("zipcode").notNull().default(""),
    country: text("country").notNull().default(""),
    /** The maximum number of people; 0: unknown. */
    capacity: integer("capacity").notNull().default(0),
    searchText: searchText(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    index("locations_name").on(sql`${table.name} collate nocase`),
    index("locations_address1").on(sql`${table.addressLine1} collate nocase`),
    index("locations_address2").on(sql`${table.addressLine2} collate nocase`),
    index("locations_state").on(sql`${table.state} collate nocase`),
    index("locations_zipcode").on(sql`${table.zipcode} collate nocase`),
    index("locations_city").on(sql`${table.city} collate nocase`),
    index("locations_country").on(sql`${table.country} collate nocase`),
    index("locations_capacity").on(table.capacity),
    index("locations_created").on(table.createdAt),
  ],
)
