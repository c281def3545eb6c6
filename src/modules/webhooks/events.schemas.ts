import { z } from "@hono/zod-openapi"
import { EVENT_TYPES, eventDefinitions, eventTime } from "../../../drizzle/schema/event-definitions.ts"
import { TEST_EVENT } from "../../../drizzle/schema/events.ts"
import { choice, integer, list, optional, text, withDefault } from "../../lib/input/input.ts"

const definitions = {
  [TEST_EVENT]: {
    meaning: "Somebody tested a webhook",
    schema: z.object({
      webhook: z.object({
        id: z.number().int(),
        url: z.string().openapi({ description: "The origin of its address: the rest may be the receiver's secret" }),
      }),
    }),
  },
  ...eventDefinitions,
}

const envelope = {
  id: z.string().openapi({ example: "evt_42_mie3k7xq", description: "The same in the feed and at every webhook" }),
  occurredAt: eventTime().openapi({ description: "When the change was made: never before the previous event" }),
}

const eventOf = <Type extends keyof typeof definitions>(type: Type) =>
  z
    .object({
      id: envelope.id,
      type: z.literal(type),
      occurredAt: envelope.occurredAt,
      data: definitions[type].schema,
    })
    .openapi(
      `Event ${type}`.replaceAll(/[ .](\w)/g, (_, letter: string) => letter.toUpperCase()),
      { description: definitions[type].meaning },
    )

const events = [eventOf(TEST_EVENT), ...EVENT_TYPES.map((type) => eventOf(type))] as const

/** The documentation of the requests that a webhook receives. */
export const webhookEvents = events.map((schema) => {
  const type = schema.shape.type.value
  return { type, summary: definitions[type].meaning, schema }
})

/** An event in the feed, and as a webhook receives it. */
const event = z.discriminatedUnion("type", events).openapi("Event")
export type Event = z.output<typeof event>

const MAX_PAGE_SIZE = 500

export const eventQuery = z.object({
  after: optional(text(100)).openapi({
    type: "string",
    description: "The cursor of the previous answer; without it the feed begins with the oldest event",
    param: { required: false },
  }),
  types: optional(list(choice(EVENT_TYPES), EVENT_TYPES.length)).openapi({
    type: "array",
    items: { type: "string", enum: [...EVENT_TYPES] },
    description: "Only events of these types; all unless given",
    param: { required: false },
  }),
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
  cursor: z.string().openapi({ description: "The next request's `after`, also when there are no events" }),
})
