import { z } from "@hono/zod-openapi"
import { MODULE_STATUSES } from "../../../drizzle/schema/enrollments.ts"
import { MODULE_TYPES } from "../../../drizzle/schema/modules.ts"
import { id, list, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { enrollmentStatus } from "../enrollments/enrollments.schemas.ts"
import { gradebookColumns } from "./gradebook-columns.ts"

/** The number of modules of a gradebook. */
export const MAX_GRADED_MODULES = 100

export const gradebookQuery = listQuery(Object.keys(gradebookColumns.sort), {
  nameOrEmail: optional(text(254)),
  status: optional(list(enrollmentStatus())),
}).extend({ course_id: id().openapi({ type: "integer", minimum: 1, param: { required: true } }) })
export type GradebookQuery = z.output<typeof gradebookQuery>

const count = () => z.number().int()

const grade = z
  .object({
    moduleId: count(),
    statusRowId: count().openapi({ description: "Names the attempts and submissions of this learner and module" }),
    status: z.enum(MODULE_STATUSES),
    points: count().nullable().openapi({ description: "null: not graded" }),
  })
  .openapi("GradebookGrade")

const gradedModule = z
  .object({ id: count(), name: z.string(), type: z.enum(MODULE_TYPES), totalPoints: count() })
  .openapi("GradedModule")

const learner = gradebookColumns.row
  .extend({
    grades: z.array(grade.nullable()).openapi({ description: "In the order of modules. null: never opened" }),
  })
  .openapi("GradebookLearner")

export const gradebook = listResponse(learner)
  .extend({
    courseName: z.string(),
    modules: z.array(gradedModule).openapi({ description: "The graded modules of the course, in its order" }),
    modulesOmitted: count().openapi({
      description: `A course has more than ${MAX_GRADED_MODULES} graded modules: how many the export has in addition`,
    }),
  })
  .openapi("Gradebook")
