import { z } from "@hono/zod-openapi"
import { optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { eventColumns, eventFields } from "./gamification-event-fields.ts"

export const newEvent = z.object(eventFields.create).openapi("NewGamificationEvent")
export type NewEvent = z.output<typeof newEvent>
export const eventChanges = z.object(eventFields.change).openapi("GamificationEventChanges")
export type EventChanges = z.output<typeof eventChanges>

export const event = eventColumns.row.openapi("GamificationEvent")
export const eventListQuery = listQuery(Object.keys(eventColumns.sort), { name: optional(text(100)) })
export const eventList = listResponse(event)
