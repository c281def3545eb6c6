import { z } from "@hono/zod-openapi"
import { changedExternalId, externalIdAnswer, externalIdFilter, newExternalId } from "../../lib/input/external-id.ts"
import { id, ids, integer, keepIfNone, keepIfNull, list, name, optional, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { groupColumns } from "./group-columns.ts"

const people = (description: string) =>
  keepIfNone(ids()).openapi({ type: "array", items: { type: "integer" }, description })

const courseSeats = z.object({ course_id: id(), total_seats: integer(0, 10_000_000) })

const fields = {
  course_seats: keepIfNone(
    list(courseSeats, 1000).refine((seats) => new Set(seats.map((row) => row.course_id)).size === seats.length, {
      error: "must contain each course only once",
    }),
  ),
  user_ids: people("All members; replaces the current set"),
  admin_ids: people("All administrators; replaces the current set"),
}

export const newGroup = z.object({ name: name(), ...newExternalId(), ...fields }).openapi("NewGroup")
type NewGroupInput = z.output<typeof newGroup>
export type NewGroup = Pick<NewGroupInput, "name"> & Partial<NewGroupInput>

export const groupChanges = z
  .object({
    ...fields,
    ...changedExternalId(),
    name: keepIfNull(name()),
    add_user_ids: people("Members to add"),
    remove_user_ids: people("Members to remove"),
  })
  .refine((input) => !input.user_ids || !(input.add_user_ids || input.remove_user_ids), {
    path: ["user_ids"],
    error: "replaces the complete set: omit add_user_ids and remove_user_ids",
  })
  .openapi("GroupChanges")
export type GroupChanges = Partial<z.output<typeof groupChanges>>

export const group = groupColumns.row
  .extend({
    ...externalIdAnswer(),
    admin_ids: z.array(z.number().int()),
    course_seats: z.array(
      z.object({
        course_id: z.number().int(),
        course_name: z.string(),
        total_seats: z.number().int(),
        used_seats: z.number().int(),
      }),
    ),
  })
  .openapi("Group")

export const groupListQuery = listQuery(Object.keys(groupColumns.sort), { name: optional(text(100)) }).extend(
  externalIdFilter(),
)
export const groupList = listResponse(groupColumns.row)
