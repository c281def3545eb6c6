import { z } from "@hono/zod-openapi"
import { locations } from "../../../drizzle/schema/locations.ts"
import { clearable, integer, keepIfNull, name, text } from "../../lib/input/input.ts"
import { column, listColumns, unindexed } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, type NotNull, nameColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"

const line = (source: NotNull<string>) =>
  ({
    create: clearable(text(255), "").openapi({ type: "string" }),
    answer: unindexed(nameColumn(source)),
    searched: true,
  }) as const

export const locationFields = recordFields(locations, {
  name: { create: name(), change: keepIfNull(name()), answer: nameColumn(locations.name), searched: true },
  addressLine1: line(locations.addressLine1),
  addressLine2: line(locations.addressLine2),
  city: line(locations.city),
  state: line(locations.state),
  zipcode: line(locations.zipcode),
  country: line(locations.country),
  capacity: {
    create: clearable(integer(0, 10_000_000), 0).openapi({
      type: ["integer", "null"],
      description: "How many people fit in; null or 0: not said",
    }),
    answer: column(locations.capacity, z.number().int().nullable(), {
      show: (capacity) => capacity || null,
      sort: { sorted: locations.capacity },
    }),
  },
})

/** The columns of a location, alone and in the list. */
export const locationColumns = listColumns({
  id: integerColumn(locations.id),
  ...locationFields.answers,
  created_at: dateColumn(locations.createdAt, { sorted: locations.createdAt }),
})
