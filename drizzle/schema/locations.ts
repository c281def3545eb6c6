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
  (table) => [index("locations_name").on(sql`${table.name} collate nocase`)],
)
