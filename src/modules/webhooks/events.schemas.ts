import { z } from "@hono/zod-openapi"
import { EVENT_TYPES, type EventType, TEST_EVENT } from "../../../drizzle/schema/events.ts"
import { ORDER_STATUSES } from "../../../drizzle/schema/orders.ts"
import { QUIZ_RESULTS } from "../../../drizzle/schema/quizzes.ts"
import { choice, defaulted, integer, list, optional, text } from "../../lib/input/input.ts"

// What an event of each type holds: the ids and names that a receiver needs. The triggers that write it:
// drizzle/triggers/events.ts.

const id = () => z.number().int()
const time = () => z.iso.datetime().openapi({ example: "2026-01-05T15:04:05.678Z" })
const named = () => z.object({ id: id(), name: z.string() })

const user = z.object({ id: id(), name: z.string(), email: z.string() }).openapi("EventUser")
const course = named().openapi("EventCourse")

const registration = { registrationId: id(), user, course }
const assignment = {
  submissionId: id(),
  registrationId: id(),
  user,
  course,
  assignment: named(),
  number: id().openapi({ description: "Of the registration's attempts, from 1" }),
  submittedAt: time(),
}
const evaluated = z.object({
  ...assignment,
  pointsAwarded: id().nullable(),
  evaluatedAt: time().nullable(),
})
const order = z.object({
  orderId: id(),
  user: user.nullable(),
  status: z.enum(ORDER_STATUSES),
  total: z.number().openapi({ description: "In the currency's main unit", example: 49.9 }),
  currency: z.string().openapi({ example: "USD" }),
  items: z.array(z.object({ type: z.string(), id: id(), name: z.string(), quantity: id() })),
})

const data = {
  "user.created": z.object({
    user: user.extend({ firstName: z.string(), lastName: z.string(), userType: z.string() }),
  }),
  "user.erased": z.object({ user: z.object({ id: id() }) }),
  "enrollment.created": z.object({
    ...registration,
    groupId: id().nullable().openapi({ description: "The group whose seat it takes" }),
    enrolledBy: id().nullable().openapi({ description: "The id of the user who did it" }),
    registeredAt: time(),
  }),
  "enrollment.completed": z.object({ ...registration, completedAt: time().nullable() }),
  "quiz.submitted": z.object({
    attemptId: id(),
    registrationId: id(),
    user,
    course,
    quiz: named(),
    number: id().openapi({ description: "Of the registration's attempts, from 1" }),
    result: z.enum(["", ...QUIZ_RESULTS]),
    score: z.number(),
    outOf: z.number(),
    percent: id(),
    submittedAt: time().nullable(),
  }),
  "assignment.submitted": z.object(assignment),
  "assignment.evaluated": evaluated,
  "assignment.rejected": evaluated,
  "order.created": order,
  "order.pending": order,
  "order.failed": order,
  "order.refused": order,
  "announcement.created": z.object({
    announcement: z.object({ id: id(), heading: z.string() }),
    sendingRules: z.string().openapi({ description: "all, specific_users or specific_course_users" }),
    author: user.nullable(),
    expiresAt: time().nullable(),
  }),
  "certificate.issued": z.object({
    certificate: z.object({ id: id(), code: z.string() }),
    user,
    course: z.object({ id: id().nullable(), name: z.string() }),
    registrationId: id().nullable(),
    classRegistrationId: id().nullable(),
    issuedAt: time(),
    expiresAt: time().nullable(),
  }),
  "class.enrolled": z.object({
    registrationId: id(),
    user,
    course,
    class: z.object({ id: id(), startAt: time(), endAt: time() }),
    registeredAt: time(),
  }),
  [TEST_EVENT]: z.object({
    webhook: z.object({
      id: id(),
      url: z.string().openapi({ description: "The origin of its address: the rest may be the receiver's secret" }),
    }),
  }),
  "export.completed": z.object({
    exportId: z.uuid(),
    kind: z.string(),
    filename: z.string(),
    user: user.nullable(),
    expiresAt: time(),
  }),
} satisfies Record<EventType | typeof TEST_EVENT, z.ZodObject>

/** What an event was, in a sentence. */
const MEANINGS: Record<EventType | typeof TEST_EVENT, string> = {
  "user.created": "An account was made",
  "user.erased": "A user was erased: whoever keeps data of them deletes it",
  "enrollment.created": "A user was enrolled in a course",
  "enrollment.completed": "A user completed a course",
  "quiz.submitted": "An attempt at a quiz was submitted",
  "assignment.submitted": "An assignment was submitted",
  "assignment.evaluated": "A submission was accepted",
  "assignment.rejected": "A submission was returned",
  "order.created": "An order was made",
  "order.pending": "An order awaits its payment",
  "order.failed": "An order's payment failed",
  "order.refused": "An order was refunded",
  "announcement.created": "An announcement was made",
  "certificate.issued": "A user earned a certificate",
  "class.enrolled": "A user has a place in a class",
  [TEST_EVENT]: "Somebody tried a webhook",
  "export.completed": "An export's file can be downloaded",
}

const envelope = {
  id: z.string().openapi({ example: "evt_42_mie3k7xq", description: "The event's own, wherever it is told" }),
  occurredAt: time().openapi({ description: "When the change was made: never before the event before it" }),
}

const ofType = <T extends keyof typeof data>(type: T) =>
  z.object({ id: envelope.id, type: z.literal(type), occurredAt: envelope.occurredAt, data: data[type] }).openapi(
    `Event ${type}`.replaceAll(/[ .](\w)/g, (_, letter: string) => letter.toUpperCase()),
    {
      description: MEANINGS[type],
    },
  )

const ofTest = ofType(TEST_EVENT)
const ofTypes = EVENT_TYPES.map((type) => ofType(type))

/** What a webhook is sent, with its meaning. */
export const webhookEvents = [ofTest, ...ofTypes].map((schema) => {
  const type = schema.shape.type.value
  return { type, summary: MEANINGS[type], schema }
})

/** An event, as the feed answers it and as a webhook is sent it. */
const event = z.discriminatedUnion("type", [ofTest, ...ofTypes]).openapi("Event")
export type Event = z.output<typeof event>

/** The most events of an answer. */
const MOST = 500

export const eventQuery = z.object({
  after: optional(text(100)).openapi({
    type: "string",
    description: "The cursor of the answer before; without it the feed begins with the oldest event that is kept",
    param: { required: false },
  }),
  types: optional(list(choice(EVENT_TYPES), EVENT_TYPES.length)).openapi({
    type: "array",
    items: { type: "string", enum: [...EVENT_TYPES] },
    description: "Only events of these types; all unless given",
    param: { required: false },
  }),
  page_size: defaulted(integer(1, MOST), 100).openapi({
    type: "integer",
    minimum: 1,
    maximum: MOST,
    default: 100,
    param: { required: false },
  }),
})
export type EventQuery = z.output<typeof eventQuery>

export const eventFeed = z.object({
  events: z.array(event),
  cursor: z.string().openapi({ description: "What to send as `after` next, also where there are no events" }),
})
