import { z } from "@hono/zod-openapi"
import {
  EVENT_PATTERNS,
  EVENT_TYPES,
  type EventType,
  eventDefinitions,
  eventObjects,
} from "../../../drizzle/events/index.ts"
import { objectSchemas } from "../../../drizzle/events/object.ts"
import { choice, id, integer, list, optional, text, withDefault } from "../../lib/input/input.ts"

const envelope = {
  id: z
    .string()
    .openapi("EventId", { example: "evt_42_mie3k7xq", description: "The same in the feed and in webhooks" }),
  occurredAt: z.iso
    .datetime()
    .openapi("EventOccurredAt", { description: "When the change was made: never before the previous event" }),
}

const schemas = new Map(eventObjects.map((object) => [object, objectSchemas(object)] as const))

const pascalCase = (type: string) => `.${type}`.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase())

const eventSchema = (type: EventType) => {
  const definition = eventDefinitions.get(type)
  const of = definition && schemas.get(definition.object)
  if (!definition || !of) throw new Error(`Unknown event type ${type}.`)
  const hasPrevious = definition.update !== undefined && definition.object.previous.length > 0
  return z
    .object({
      id: envelope.id,
      type: z.literal(type),
      occurredAt: envelope.occurredAt,
      data: definition.onlyIds ? of.deleted : of.data,
      ...(hasPrevious && { previous: of.previous.optional() }),
    })
    .openapi(`Event${pascalCase(type)}`, { description: definition.meaning })
}

const [first, ...others] = EVENT_TYPES.map((type) => ({
  type,
  summary: eventDefinitions.get(type)?.meaning ?? "",
  schema: eventSchema(type),
}))
if (!first) throw new Error("There are no events.")

/** The documentation of the requests that a webhook receives. */
export const webhookEvents = [first, ...others]

/** An event in the feed, and as a webhook receives it. */
const event = z.discriminatedUnion("type", [first.schema, ...others.map(({ schema }) => schema)]).openapi("Event")
export type Event = z.output<typeof event>

const MAX_PAGE_SIZE = 500

/** Event types and patterns: `*` and `user.*`. */
const eventPatterns = () => list(choice(EVENT_PATTERNS), EVENT_PATTERNS.length)

const idFilter = (description: string) =>
  optional(id()).openapi({ type: "integer", minimum: 1, description, param: { required: false } })

export const eventQuery = z.object({
  after: optional(text(100)).openapi({
    type: "string",
    description: "The cursor of the previous response; `latest` starts after the newest event; by default the oldest",
    param: { required: false },
  }),
  types: optional(eventPatterns()).openapi({
    type: "array",
    items: { type: "string", enum: [...EVENT_PATTERNS] },
    description: "Only events of these types; `user.*` includes every type of an object; default all",
    param: { required: false },
  }),
  courseId: idFilter("Only events of this course"),
  groupId: idFilter("Only events of this group and of its current members"),
  portalId: idFilter("Only events of this portal and of its current members"),
  page_size: withDefault(integer(1, MAX_PAGE_SIZE), 100).openapi({
    type: "integer",
    minimum: 1,
    maximum: MAX_PAGE_SIZE,
    default: 100,
    param: { required: false },
  }),
})
export type EventQuery = z.output<typeof eventQuery>

export const eventFeed = z.object({
  events: z.array(event),
  cursor: z.string().openapi({ description: "`after` of the next request, also if there are no events" }),
})
