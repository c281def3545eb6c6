import { z } from "@hono/zod-openapi"
import { OrderStatus, QuizResult, valuesOf } from "../statuses.ts"

// The events that webhooks and the event feed send. Each field has its schema, the SQL that makes its stored value from
// the row (`new`) of the trigger in drizzle/triggers/events.ts, and how that value is read. An event is stored without
// the names of its fields, as an array of their values. To add a field, add its line at the end: the position in the
// array identifies it, and earlier events do not have it.

interface Field<Schema extends z.ZodType = z.ZodType> {
  schema: Schema
  sql: string
  /** Makes the value of the payload from the stored value. */
  read: (stored: unknown) => unknown
}
type Fields = Record<string, Field>
type Shape<F extends Fields> = { [Name in keyof F]: F[Name]["schema"] }

const asStored = (stored: unknown) => stored

const field = <Schema extends z.ZodType>(
  schema: Schema,
  sql: string,
  read: Field["read"] = asStored,
): Field<Schema> => ({ schema, sql, read })

const shapeOf = <F extends Fields>(fields: F) =>
  Object.fromEntries(Object.entries(fields).map(([name, { schema }]) => [name, schema])) as Shape<F>

/** The fields that name the person, which are stored first: an erasure finds them there. */
const PERSON = ["user", "author"]

/** The fields in the order in which they are stored. */
const storedOrder = (fields: Fields) => {
  const names = Object.keys(fields)
  return [...names.filter((name) => PERSON.includes(name)), ...names.filter((name) => !PERSON.includes(name))]
}

/** The `json_array` of some fields. */
const jsonArray = (fields: Fields) =>
  `json_array(${storedOrder(fields)
    .map((name) => fields[name]?.sql)
    .join(", ")})`

/** Reads the values of some fields from their array; null where there is none. */
const readArray = (fields: Fields) => {
  const positions = Object.keys(fields).map((name) => [name, storedOrder(fields).indexOf(name)] as const)
  return (stored: unknown): Record<string, unknown> | null => {
    if (!Array.isArray(stored)) return null
    const values: unknown[] = stored
    return Object.fromEntries(
      positions.flatMap(([name, at]) => (at < values.length ? [[name, fields[name]?.read(values[at])]] : [])),
    )
  }
}

const id = (sql: string) => field(z.number().int(), sql)
const number = (sql: string) => field(z.number(), sql)
const text = (sql: string) => field(z.string(), sql)
const object = <F extends Fields>(fields: F) => field(z.object(shapeOf(fields)), jsonArray(fields), readArray(fields))

/** The same field, which may be null. */
const nullable = <Schema extends z.ZodType>({ schema, sql, read }: Field<Schema>) => field(schema.nullable(), sql, read)

const described = <Schema extends z.ZodType>({ schema, sql, read }: Field<Schema>, description: string) =>
  field(schema.openapi({ description }), sql, read)

export const eventTime = () => z.iso.datetime().openapi({ example: "2026-01-05T15:04:05.678Z" })
const isoTime = (stored: unknown) => new Date(Number(stored)).toISOString()
const time = (sql: string) => field(eventTime(), sql, isoTime)
/** A time where the column's 0 means that there is none. */
const timeOrNull = (sql: string) =>
  field(eventTime().nullable(), sql, (stored) => (Number(stored) > 0 ? isoTime(stored) : null))

/** A row of another table, by the SQL of its id; null in the feed where the row does not exist. */
const rowOf = <F extends Fields>(table: string, fields: F, component?: string) => {
  const { schema, sql, read } = object(fields)
  const named = component ? schema.openapi(component) : schema
  return (rowId: string) => field(named, `json((SELECT ${sql} FROM ${table} WHERE id = ${rowId}))`, read)
}

const named = { id: id("id"), name: text("name") }
const userOf = rowOf(
  "users",
  { id: id("id"), name: text("trim(first_name || ' ' || last_name)"), email: text("email") },
  "EventUser",
)
const courseOf = rowOf("courses", named, "EventCourse")
const moduleOf = rowOf("modules", named)
const classOf = rowOf("classes", { id: id("id"), startAt: time("start_at"), endAt: time("end_at") })

const user = userOf("new.user_id")
const course = courseOf("new.course_id")
const attempt = described(id("new.number"), "Of the registration's attempts, from 1")

const createdUser = {
  id: id("new.id"),
  name: text("trim(new.first_name || ' ' || new.last_name)"),
  email: text("new.email"),
}
const createdUserDetails = {
  firstName: text("new.first_name"),
  lastName: text("new.last_name"),
  userType: text("new.user_type"),
}
const enrollment = { registrationId: id("new.id"), user, course }
const submission = {
  submissionId: id("new.id"),
  registrationId: id("new.enrollment_id"),
  user,
  course,
  assignment: moduleOf("new.module_id"),
  number: attempt,
  submittedAt: time("new.submitted_at"),
}
const evaluation = {
  ...submission,
  pointsAwarded: nullable(id("new.points_awarded")),
  evaluatedAt: timeOrNull("new.evaluated_at"),
}
const item = object({
  type: text("value ->> '$.type'"),
  id: id("value ->> '$.id'"),
  name: text("value ->> '$.name'"),
  quantity: id("value ->> '$.quantity'"),
})
const order = {
  orderId: id("new.id"),
  user: nullable(user),
  status: field(z.enum(valuesOf(OrderStatus)), "new.status"),
  // The row has minor units; `toEvent` converts them.
  total: field(z.number().openapi({ description: "In the currency's main unit", example: 49.9 }), "new.total"),
  currency: field(z.string().openapi({ example: "USD" }), "new.currency"),
  items: field(
    z.array(item.schema),
    `json((SELECT json_group_array(${item.sql}) FROM json_each(new.items)))`,
    (stored) => (stored as unknown[]).map(item.read),
  ),
}

const event = <F extends Fields>(meaning: string, fields: F) => ({
  meaning,
  schema: z.object(shapeOf(fields)),
  sql: jsonArray(fields),
  read: readArray(fields),
})

/** Every event by its type, in the order of the documentation. */
export const eventDefinitions = {
  "user.created": event("An account was created", {
    user: field(
      userOf("").schema.extend(shapeOf(createdUserDetails)),
      jsonArray({ ...createdUser, ...createdUserDetails }),
      readArray({ ...createdUser, ...createdUserDetails }),
    ),
  }),
  // Only the id: receivers find the person by it.
  "user.erased": event("A user was erased: receivers delete what they keep of the user", {
    user: object({ id: id("new.user_id") }),
  }),
  "enrollment.created": event("A user was enrolled in a course", {
    ...enrollment,
    groupId: described(nullable(id("new.group_id")), "The group whose seat it takes"),
    enrolledBy: described(nullable(id("new.enrolled_by")), "The id of the user who did it"),
    registeredAt: time("new.registered_at"),
  }),
  "enrollment.completed": event("A user completed a course", {
    ...enrollment,
    completedAt: timeOrNull("new.completed_at"),
  }),
  "quiz.submitted": event("An attempt at a quiz was submitted", {
    attemptId: id("new.id"),
    registrationId: id("new.enrollment_id"),
    user,
    course,
    quiz: moduleOf("new.module_id"),
    number: attempt,
    result: field(z.enum(["", ...valuesOf(QuizResult)]), "new.result"),
    score: number("new.score"),
    outOf: number("new.out_of"),
    percent: id("new.percent"),
    submittedAt: timeOrNull("new.completed_at"),
  }),
  "assignment.submitted": event("An assignment was submitted", submission),
  "assignment.evaluated": event("A submission was accepted", evaluation),
  "assignment.rejected": event("A submission was returned", evaluation),
  "order.created": event("An order was created", order),
  "order.pending": event("An order awaits its payment", order),
  "order.failed": event("An order's payment failed", order),
  "order.refused": event("An order was refunded", order),
  "announcement.created": event("An announcement was created", {
    announcement: object({ id: id("new.id"), heading: text("new.heading") }),
    sendingRules: described(text("new.sending_rules"), "all, specific_users or specific_course_users"),
    author: nullable(userOf("new.author_id")),
    expiresAt: timeOrNull("new.expires_at"),
  }),
  "certificate.issued": event("A user earned a certificate", {
    certificate: object({ id: id("new.id"), code: text("new.code") }),
    user,
    course: object({ id: nullable(id("new.course_id")), name: text("new.course_name") }),
    registrationId: nullable(id("new.enrollment_id")),
    classRegistrationId: nullable(id("new.class_enrollment_id")),
    issuedAt: time("new.issued_at"),
    expiresAt: timeOrNull("new.expires_at"),
  }),
  "class.enrolled": event("A user was enrolled in a class", {
    registrationId: id("new.id"),
    user,
    course: courseOf("(SELECT course_id FROM classes WHERE id = new.class_id)"),
    class: classOf("new.class_id"),
    registeredAt: time("new.registered_at"),
  }),
  "export.completed": event("An export's file can be downloaded", {
    exportId: field(z.uuid(), "new.id"),
    kind: text("new.kind"),
    filename: text("new.filename"),
    user: nullable(userOf("new.caller_id")),
    expiresAt: time("new.expires_at"),
  }),
}

export type EventType = keyof typeof eventDefinitions
export const EVENT_TYPES = Object.keys(eventDefinitions) as [EventType, ...EventType[]]

/** An event's data as it is stored. */
export type StoredEventData = unknown[] | Record<string, unknown>

/** The payload of a stored event. The event that tests a webhook is stored as its payload. */
export const readEventData = (type: string, data: StoredEventData): Record<string, unknown> =>
  type in eventDefinitions ? (eventDefinitions[type as EventType].read(data) ?? {}) : (data as Record<string, unknown>)
