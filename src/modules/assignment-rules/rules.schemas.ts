import { z } from "@hono/zod-openapi"
import { ON_LEAVE } from "../../../drizzle/schema/assignment-rules.ts"
import { changedResponse } from "../../http/crud.ts"
import { boolean, id, keepIfNone, optional, requiredIds, text, withDefault } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { listedRuleColumns, ruleColumns, ruleFields } from "./rule-fields.ts"
import { onLeave, targetIds } from "./rule-inputs.ts"

const targets = {
  courseIds: withDefault(targetIds(), []).openapi({ description: "The courses that it assigns, at most 50" }),
  learningPathIds: withDefault(targetIds(), []).openapi({
    description: "The learning paths that it assigns with their courses, at most 50",
  }),
}

export const newRule = z
  .object({ ...ruleFields.create, ...targets })
  .refine(({ groupId, portalId }) => groupId === undefined || portalId === undefined, {
    path: ["portalId"],
    error: "must be omitted with groupId",
  })
  .openapi("NewAssignmentRule", {
    example: {
      name: "Fire safety",
      audience: { role: ["general"] },
      courseIds: [1],
      due: { type: "days", days: 30, from: "assignment" },
    },
  })
export type NewRule = z.output<typeof newRule>

export const ruleChanges = z
  .object({ ...ruleFields.change, courseIds: keepIfNone(targetIds()), learningPathIds: keepIfNone(targetIds()) })
  .openapi("AssignmentRuleChanges")
export type RuleChanges = z.output<typeof ruleChanges>

const named = z.object({ id: z.number().int(), name: z.string() })

export const rule = ruleColumns.row
  .extend({
    courseIds: z.array(z.number().int()),
    learningPathIds: z.array(z.number().int()),
    courses: z.array(named),
    learningPaths: z.array(named),
  })
  .openapi("AssignmentRule")

export const ruleListQuery = listQuery(Object.keys(listedRuleColumns.sort), {
  name: optional(text(100)),
  active: optional(boolean()),
  courseId: optional(id()),
  learningPathId: optional(id()),
})
export const ruleList = listResponse(listedRuleColumns.row.openapi("AssignmentRuleRow"))

export const ruleDeletion = z
  .object({
    delete_ids: requiredIds(100),
    enrollments: onLeave().openapi({
      type: "string",
      enum: [...ON_LEAVE],
      description: "What becomes of the enrollments that rules created, unless another rule requires them",
    }),
  })
  .openapi("AssignmentRuleDeletion")

export const ruleRun = changedResponse
