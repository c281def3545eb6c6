import { z } from "@hono/zod-openapi"
import { id, ids, jsonObject, list, optional, text } from "../../lib/input/input.ts"
import { enrolmentStatus } from "../learning/enrolments.schemas.ts"

/** The initiate body of the gradebook export. */
export const gradebookExport = z.object({
  searchPortalIds: optional(ids()).openapi({
    type: "array",
    items: { type: "integer", minimum: 1 },
    description: "Only members of any of these portals",
  }),
  search_param: jsonObject(
    z.object({
      nameOrEmail: optional(text(254)),
      courseId: optional(id()).openapi({
        type: "integer",
        minimum: 1,
        description: "Without it, the sheet has the graded modules of every course in which somebody is registered",
      }),
      status: optional(list(enrolmentStatus())).openapi({ description: "Of the registrations" }),
    }),
  ),
})
export type GradebookExport = z.output<typeof gradebookExport>
