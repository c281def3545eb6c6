import { z } from "@hono/zod-openapi"
import { clearable, integer, keptText, name, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"
import { locationColumns } from "./location-columns.ts"

const line = () => clearable(text(255), "").openapi({ type: "string" })

const fields = {
  addressLine1: line(),
  addressLine2: line(),
  city: line(),
  state: line(),
  zipcode: line(),
  country: line(),
  capacity: clearable(integer(0, 10_000_000), 0).openapi({
    type: ["integer", "null"],
    description: "How many people fit in; null or 0: not said",
  }),
}

export const newLocation = z.object({ name: name(), ...fields }).openapi("NewLocation")
export type NewLocation = z.output<typeof newLocation>

export const locationChanges = z.object({ name: keptText(name()), ...fields }).openapi("LocationChanges")
export type LocationChanges = z.output<typeof locationChanges>

export const location = locationColumns.row.openapi("Location")
export const locationListQuery = listQuery(Object.keys(locationColumns.sort), { name: optional(text(255)) })
export const locationList = envelope(location)
