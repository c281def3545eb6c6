import { z } from "@hono/zod-openapi"
import { choice, id, integer, name, optional, withDefault } from "../../lib/input/input.ts"
import { isoSchemaOrNull } from "../../lib/spreadsheet/columns.ts"
import { ruleFields } from "./rule-fields.ts"
import { targetIds } from "./rule-inputs.ts"

/** Which people the page has. */
const PREVIEWED = ["assigned", "removed", "kept"] as const

export const rulePreview = z
  .object({
    id: optional(id()).openapi({
      type: "integer",
      minimum: 1,
      description: "A rule that would be changed. Omitted fields are those of the rule",
    }),
    ...ruleFields.change,
    name: optional(name()),
    groupId: optional(id()),
    portalId: optional(id()),
    courseIds: optional(targetIds()).openapi({ type: "array", items: { type: "integer", minimum: 1 }, maxItems: 50 }),
    learningPathIds: optional(targetIds()).openapi({
      type: "array",
      items: { type: "integer", minimum: 1 },
      maxItems: 50,
    }),
    show: withDefault(choice(PREVIEWED), "assigned").openapi({
      type: "string",
      enum: [...PREVIEWED],
      description: "The people in records: those who would be assigned, removed, or kept",
    }),
    page_size: withDefault(integer(1, 500), 20),
    page_number: withDefault(integer(1, 1_000_000), 1),
  })
  .openapi("AssignmentRulePreviewRequest", {
    example: { audience: { role: ["general"] }, courseIds: [1], due: { type: "days", days: 30 } },
  })
export type RulePreview = z.output<typeof rulePreview>

const count = (description: string) => z.number().int().openapi({ description })

export const rulePreviewAnswer = z
  .object({
    people: z.object({
      assigned: count("Who would be assigned"),
      kept: count("Who are assigned already, and stay"),
      removed: count("Who would leave"),
      notified: count("Who would be enrolled in at least one course, and notified"),
      withoutDate: count("Who match and have no date in the field that the due date counts from"),
    }),
    enrollments: z.object({
      created: count("Enrollments that would be created"),
      existing: count("Enrollments that exist already, completed ones included"),
      completed: count("Those that are completed"),
      waiting: count("People and courses that would wait for a free seat"),
      removed: count("Enrollments that would be removed"),
      dueDatesMoved: count("Assigned courses whose due date by this rule would move"),
    }),
    recordsTotal: count("The people in all pages"),
    records: z.array(
      z.object({
        id: z.number().int(),
        firstName: z.string(),
        lastName: z.string(),
        email: z.string(),
        dueAt: isoSchemaOrNull().openapi({ description: "null: no due date, or the person would leave" }),
        previousDueAt: isoSchemaOrNull().openapi({ description: "The due date by this rule so far" }),
      }),
    ),
  })
  .openapi("AssignmentRulePreview")
