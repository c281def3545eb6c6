import { z } from "@hono/zod-openapi"
import { DueStatus, EnrollmentStatus, valuesOf } from "../../../drizzle/statuses.ts"
import { audienceCondition } from "../../access/audience-condition.schema.ts"
import { boolean, day, id, ids, optional, text } from "../../lib/input/input.ts"
import { exportBody, listQuery, listResponse } from "../../lib/input/list-query.ts"
import { isoSchema, isoSchemaOrNull } from "../../lib/spreadsheet/columns.ts"
import { matrixColumns } from "./matrix-columns.ts"

/** The number of courses of a matrix. */
export const MAX_COURSES = 50

const optionalId = (description: string) => optional(id()).openapi({ type: "integer", minimum: 1, description })

/** The filters of the matrix and of its export. */
const filters = {
  search: {
    courseIds: optional(ids(MAX_COURSES)).openapi({
      type: "array",
      items: { type: "integer", minimum: 1 },
      maxItems: MAX_COURSES,
      description: "The courses. Defaults to those of ruleId, else of group_id, else of all active assignment rules",
    }),
    ruleId: optionalId("Only people that this assignment rule assigns, and its courses"),
    nameOrEmail: optional(text(254)),
    audience: optional(audienceCondition()),
    disabled: optional(boolean()).openapi({
      type: "boolean",
      description: "Only people whose account is disabled, or is not",
    }),
  },
  beside: {
    supervisor_id: optionalId(
      "Only the people in this supervisor's scope. Supervisors name themselves; staff name anyone",
    ),
    asOf: optional(day()).openapi({
      type: "string",
      format: "date",
      description: "The end of this past day in the academy's time zone. Defaults to now",
    }),
  },
}

export const matrixQuery = listQuery(Object.keys(matrixColumns.sort), filters.search).extend(filters.beside)
export const matrixExport = exportBody(filters)
export type MatrixFilters = z.output<typeof matrixExport>

const cell = z
  .object({
    courseId: z.number().int(),
    status: z.enum(valuesOf(EnrollmentStatus)),
    dueStatus: z
      .enum(valuesOf(DueStatus))
      .exclude(["no_due_date"])
      .nullable()
      .openapi({ description: "null without a due date" }),
    cycle: z.number().int().nullable().openapi({ description: "null if the enrollment was deleted since asOf" }),
    dueAt: isoSchemaOrNull(),
    completedAt: isoSchemaOrNull(),
    certificateId: z
      .number()
      .int()
      .nullable()
      .openapi({ description: "The newest certificate of the course that is not revoked, also of an earlier cycle" }),
    expiresAt: isoSchemaOrNull().openapi({ description: "When that certificate expires" }),
  })
  .openapi("MatrixCell")

const person = matrixColumns.row
  .extend({
    cells: z.array(cell.nullable()).openapi({ description: "In the order of courses. null: not enrolled" }),
  })
  .openapi("MatrixPerson")

export const matrix = listResponse(person)
  .extend({
    asOf: isoSchema().openapi({ description: "The time that the cells describe" }),
    courses: z.array(z.object({ id: z.number().int(), name: z.string() })),
  })
  .openapi("ComplianceMatrix")
