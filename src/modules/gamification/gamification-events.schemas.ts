import { z } from "@hono/zod-openapi"
import { EVENT_TYPES } from "../../../drizzle/schema/gamification-events.ts"
import { bool, choice, clearable, id, integer, kept, keptText, name, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"
import { MOST_POINTS } from "./badges.schemas.ts"
import { eventColumns } from "./gamification-event-columns.ts"

const fields = {
  targetId: clearable(id()).openapi({
    type: ["integer", "null"],
    description: "The course, learning path, module or class that it is about; null or 0: any. A login has none",
  }),
  badgeId: clearable(id()).openapi({
    type: ["integer", "null"],
    description: "The badge that it gives, with its points",
  }),
  points: clearable(integer(0, MOST_POINTS), 0).openapi({
    description: "What it gives beside the badge's; 0 unless given",
  }),
  active: kept(bool()).openapi({ type: "boolean", description: "true unless given; false: it gives nothing" }),
}

export const newEvent = z.object({ name: name(), type: choice(EVENT_TYPES), ...fields }).openapi("NewGamificationEvent")
export type NewEvent = z.output<typeof newEvent>
export const eventChanges = z
  .object({ name: keptText(name()), type: kept(choice(EVENT_TYPES)), ...fields })
  .openapi("GamificationEventChanges")
export type EventChanges = z.output<typeof eventChanges>

export const event = eventColumns.row.openapi("GamificationEvent")
export const eventListQuery = listQuery(Object.keys(eventColumns.sort), { name: optional(text(100)) })
export const eventList = envelope(event)
