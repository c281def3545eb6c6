import { z } from "@hono/zod-openapi"
import { clearable, id, keptText, name, optional, text } from "../../lib/input/input.ts"
import { envelope, listQuery, optionalPaging } from "../../lib/input/list-query.ts"
import { userSourceColumns } from "./user-source-columns.ts"

const URL_OR_NONE = /^(https?:\/\/\S+)?$/i

const fields = {
  name: name(),
  description: clearable(text(1000)),
  logoUrl: clearable(
    text(2000).refine((value) => URL_OR_NONE.test(value), { error: "must be an image's http(s) URL, or empty" }),
  ).openapi({ type: ["string", "null"], description: "An image's http(s) URL; empty or null: none" }),
}

const identifier = z
  .string()
  .transform((value) => value.trim().toLowerCase())
  .refine((value) => /^[a-z0-9][a-z0-9_-]{0,99}$/.test(value), {
    error: "must be letters, digits, - and _, 100 or fewer",
  })
  .openapi({
    type: "string",
    minLength: 1,
    maxLength: 100,
    example: "open_day",
    description: "Unique; letters, digits, - and _, kept in lower case",
  })

export const newUserSource = z.object({ ...fields, identifier }).openapi("NewUserSource")
export type NewUserSource = z.output<typeof newUserSource>

export const userSourceChanges = z
  .object({ ...fields, name: keptText(name()), identifier: keptText(identifier) })
  .openapi("UserSourceChanges")
export type UserSourceChanges = z.output<typeof userSourceChanges>

export const userSource = userSourceColumns.row.openapi("UserSource")

export const userSourcesQuery = z.object({
  ...optionalPaging,
  portalId: optional(id()).openapi({
    type: "integer",
    description: "Taken for older clients: every portal has the same sources",
  }),
})
export const allUserSources = z.object({ records: z.array(userSource) })

export const userSourceListQuery = listQuery(Object.keys(userSourceColumns.sort), {
  identifier: optional(identifier),
})
export const userSourceList = envelope(userSource)
