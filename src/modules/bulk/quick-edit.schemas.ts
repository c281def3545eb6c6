import { z } from "@hono/zod-openapi"
import { boolean, id, ids, optional, requiredIds } from "../../lib/input/input.ts"

const enrollIn = (description: string) =>
  optional(ids()).openapi({ type: "array", items: { type: "integer" }, description })

export const usersQuickEdit = z.object({
  user_ids: requiredIds(),
  disabled: boolean(),
  course_ids: enrollIn("Courses to enroll them in"),
  learning_path_ids: enrollIn("Learning paths to enroll them in, with their courses"),
  enrollMembershipId: optional(id()).openapi({ type: "integer", description: "The membership to assign" }),
  portalId: optional(id()).openapi({ type: "integer", description: "Only members of this portal are changed" }),
})
export type QuickEdit = z.output<typeof usersQuickEdit>
