import { z } from "@hono/zod-openapi"
import { userSources } from "../../../drizzle/schema/users.ts"
import { sortPrefix } from "../../db/list/listing.ts"
import { clearable, keepIfNull, name, text } from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, textColumn } from "../../lib/spreadsheet/common-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"

const URL_OR_NONE = /^(https?:\/\/\S+)?$/i

export const identifier = z
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

/** A text can be empty after normalization, such as one of control characters. */
const emptyAsNull = (given: string | null | undefined) => (given === "" ? null : given)

export const userSourceFields = recordFields(userSources, {
  name: { create: name(), change: keepIfNull(name()), answer: nameColumn(userSources.name) },
  identifier: { create: identifier, change: keepIfNull(identifier), answer: textColumn(userSources.identifier) },
  description: {
    create: clearable(text(1000)).transform(emptyAsNull).openapi({ type: "string", maxLength: 1000 }),
    answer: column(userSources.description, z.string().nullable(), {
      sort: { sorted: sortPrefix(userSources.description) },
    }),
  },
  logoUrl: {
    create: clearable(
      text(2000).refine((value) => URL_OR_NONE.test(value), { error: "must be an image's http(s) URL, or empty" }),
    )
      .transform(emptyAsNull)
      .openapi({ type: ["string", "null"], description: "An image's http(s) URL; empty or null: none" }),
    answer: column(userSources.logoUrl, z.string().nullable(), { sort: { sorted: sortPrefix(userSources.logoUrl) } }),
  },
})

/** The columns of a user source, alone and in the list. */
export const userSourceColumns = listColumns({ id: integerColumn(userSources.id), ...userSourceFields.answers })
