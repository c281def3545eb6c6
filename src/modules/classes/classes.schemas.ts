import { z } from "@hono/zod-openapi"
import { CLASS_TYPES } from "../../../drizzle/schema/classes.ts"
import { invalid } from "../../lib/errors.ts"
import { changedExternalId, externalIdAnswer, externalIdFilter, newExternalId } from "../../lib/input/external-id.ts"
import { choice, id, idOrName, keepIfNone, line, list, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse, optionalPaging, period, updatedSince } from "../../lib/input/list-query.ts"
import { classColumns, courseClassColumns, sessionColumns } from "./class-columns.ts"
import { classFields, classDetails as detailColumns } from "./class-fields.ts"

const integerAnswer = () => z.number().int()

const material = z.object({
  media_id: id(),
  name: optional(line(200)),
  type: optional(line(100)).openapi({
    type: "string",
    description: "Ignored on input: the type is detected from the file",
  }),
})

/** The API contract spells it `starttime` in create and `startTime` in update: both accept either. */
const normalizeStartTime = (body: unknown) =>
  typeof body === "object" && body !== null && "starttime" in body && !("startTime" in body)
    ? { ...body, startTime: body.starttime }
    : body

const classType = choice(CLASS_TYPES)

/** Forms send all fields: the recurrence of a one-time class is ignored, and a recurrence without a type sets it. */
const normalizeRecurrence = (body: unknown) => {
  if (typeof body !== "object" || body === null || !("recurrence" in body)) return body
  const { recurrence, ...rest } = body
  const type = "type" in body ? (classType.safeParse(body.type).data ?? body.type) : undefined
  const isBlank = !recurrence || (typeof recurrence === "object" && Object.keys(recurrence).length === 0)
  if (type === "onetime" || isBlank) return rest
  return type ? body : { ...body, type: "recurring" }
}

const normalizeBody = (body: unknown) => normalizeRecurrence(normalizeStartTime(body))

const optionalClassId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })

export const newClass = z
  .preprocess(
    normalizeBody,
    z.object({
      ...classFields.create,
      ...newExternalId(),
      studyMaterial: optional(list(material, 100)),
    }),
  )
  .superRefine((input, context) => {
    const addIssue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message })
    if ((input.type ?? "onetime") === "recurring") {
      if (!input.recurrence) addIssue("recurrence", "is required for a recurring class")
      return
    }
    if (input.startTime === undefined) addIssue("starttime", "is required for a one-time class")
    if (input.endTime === undefined) addIssue("endTime", "is required for a one-time class")
  })
  .openapi("NewClass", {
    description: "starttime may be spelled startTime",
    example: {
      courseId: 1,
      instructor: 2,
      timeZone: "Europe/Lisbon",
      starttime: "2026-01-12T18:30:00.000Z",
      endTime: "2026-01-12T20:00:00.000Z",
      allowDownload: true,
      disabled: false,
    },
  })
export type NewClass = z.output<typeof newClass>

export const classChanges = z
  .preprocess(
    normalizeBody,
    z.object({
      id: optionalClassId("Id of the class; same as classId"),
      classId: optionalClassId("Id of the class; same as id"),
      ...classFields.change,
      ...changedExternalId(),
      studyMaterial: keepIfNone(list(material, 100)).openapi({ description: "Replaces the material; [] removes all" }),
    }),
  )
  .openapi("ClassChanges", { description: "Omitted fields keep their values" })
type ClassChange = z.output<typeof classChanges>
export type ClassChanges = Omit<ClassChange, "id" | "classId">

/** Clients may send the id of the class in the query. */
export const updateQuery = z.object({
  id: optionalClassId("As id in the body"),
  classId: optionalClassId("As id in the body"),
})

/** Returns the id of the class and its changes. @throws 422 for no id or several */
export function toClassChange(
  { id, classId, ...changes }: ClassChange,
  query: z.output<typeof updateQuery>,
): { id: number; changes: ClassChanges } {
  const classIds = new Set([id, classId, query.id, query.classId].filter((one) => one !== undefined))
  const [onlyId] = classIds
  if (onlyId === undefined) throw invalid("id", "id is required.")
  if (classIds.size > 1)
    throw invalid("id", `id and classId must refer to the same class: ${[...classIds].join(", ")}.`)
  return { id: onlyId, changes }
}

export const editQuery = z.object({
  classId: id().openapi({ type: "integer", minimum: 1, param: { required: true } }),
  courseId: optional(id()).openapi({ type: "integer", minimum: 1 }),
})

export const classDetails = z.object({
  classDetails: detailColumns.row
    .extend({
      ...externalIdAnswer(),
      studyMaterial: z.array(z.object({ media_id: integerAnswer(), name: z.string(), type: z.string() })),
    })
    .openapi("Class"),
})

export const classDeletion = z.object({ classId: id() })
export const courseClassesDeletion = z.object({ courseId: id() })

/** Start dates from the first day to the end of the last; a single date is the first. */
const dates = optional(period({ alone: "from" }))

export const classListQuery = listQuery(Object.keys(classColumns.sort), {
  location: optional(idOrName()),
  courseName: optional(text(100)),
  instructor: optional(idOrName()),
  dates,
  updatedSince: updatedSince(),
}).extend(externalIdFilter())
export const classList = listResponse(classColumns.row.openapi("ClassRow"))

export const scheduleQuery = listQuery(
  Object.keys(sessionColumns.sort),
  { location: optional(idOrName()), dates },
  { paging: "optional" },
).extend({
  courseId: optional(id()).openapi({ type: "integer", minimum: 1 }),
  classId: optional(id()).openapi({ type: "integer", minimum: 1, description: "Only sessions of this class" }),
})
export const schedules = z.object({ classes: z.array(sessionColumns.row.openapi("ClassSchedule")) })

export const courseClassesQuery = listQuery(
  Object.keys(courseClassColumns.sort),
  { location: optional(idOrName()), instructor: optional(idOrName()), dates },
  { paging: "optional" },
).extend({ course_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }) })
export const courseClasses = listResponse(courseClassColumns.row.openapi("CourseClass")).extend({
  courseName: z.string(),
  instructions: z.string(),
  featuredImage: z.string().nullable(),
})

export const locationsQuery = z.object({
  course_id: optional(id()).openapi({ type: "integer", minimum: 1, description: "Defaults to all courses" }),
  group_id: optional(id()).openapi({ type: "integer", minimum: 1 }),
  ...optionalPaging,
})
export const courseLocations = z
  .record(
    z.string(),
    z
      .object({ id: integerAnswer(), name: z.string(), courseId: integerAnswer(), classId: integerAnswer() })
      .openapi("CourseLocation"),
  )
  .openapi({ description: "By index from 0: one entry for each class that has a location" })
