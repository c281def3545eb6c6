import { z } from "@hono/zod-openapi"
import { optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { locationColumns, locationFields } from "./location-fields.ts"

export const newLocation = z.object(locationFields.create).openapi("NewLocation")
export type NewLocation = z.output<typeof newLocation>

export const locationChanges = z.object(locationFields.change).openapi("LocationChanges")
export type LocationChanges = z.output<typeof locationChanges>

export const location = locationColumns.row.openapi("Location")
export const locationListQuery = listQuery(Object.keys(locationColumns.sort), { name: optional(text(255)) })
export const locationList = listResponse(location)
