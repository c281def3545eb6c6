import { z } from "@hono/zod-openapi"
import { clearable, integer, keptText, name, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"

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

export const location = z
  .object({
    id: z.number().int(),
    name: z.string(),
    addressLine1: z.string(),
    addressLine2: z.string(),
    city: z.string(),
    state: z.string(),
    zipcode: z.string(),
    country: z.string(),
    capacity: z.number().int().nullable(),
    created_at: z.string(),
  })
  .openapi("Location")

export const LOCATION_COLUMNS = [
  "id",
  "name",
  "addressLine1",
  "addressLine2",
  "city",
  "state",
  "zipcode",
  "country",
  "capacity",
  "created_at",
] as const
export const locationListQuery = listQuery(LOCATION_COLUMNS, { name: optional(text(255)) })
export const locationList = envelope(location)
