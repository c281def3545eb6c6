import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core"
import { locations } from "../../../drizzle/locations.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { displayDate } from "../../lib/text/dates.ts"

/** A text that is sorted by without regard to case. */
const line = (text: AnySQLiteColumn<{ data: string; notNull: true }>) =>
  column(text, z.string(), { sort: sql`${text} collate nocase` })

/** The columns of the list of locations; a location by itself is answered alike. */
export const locationColumns = listColumns({
  id: column(locations.id, z.number().int(), { sort: locations.id }),
  name: line(locations.name),
  addressLine1: line(locations.addressLine1),
  addressLine2: line(locations.addressLine2),
  city: line(locations.city),
  state: line(locations.state),
  zipcode: line(locations.zipcode),
  country: line(locations.country),
  capacity: column(locations.capacity, z.number().int().nullable(), {
    show: (capacity) => capacity || null,
    sort: locations.capacity,
  }),
  created_at: column(locations.createdAt, z.string(), { show: displayDate, sort: locations.createdAt }),
})
