import { z } from "@hono/zod-openapi"
import { locations } from "../../../drizzle/schema/locations.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"

/** The columns of the list of locations; a location by itself is answered alike. */
export const locationColumns = listColumns({
  id: integerColumn(locations.id),
  name: nameColumn(locations.name),
  addressLine1: nameColumn(locations.addressLine1),
  addressLine2: nameColumn(locations.addressLine2),
  city: nameColumn(locations.city),
  state: nameColumn(locations.state),
  zipcode: nameColumn(locations.zipcode),
  country: nameColumn(locations.country),
  capacity: column(locations.capacity, z.number().int().nullable(), {
    show: (capacity) => capacity || null,
    sort: locations.capacity,
  }),
  created_at: dateColumn(locations.createdAt),
})
