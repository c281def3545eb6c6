import { z } from "@hono/zod-openapi"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { clearable, integer, keepIfNull, name } from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"

export const membershipFields = recordFields(memberships, {
  name: { create: name(), change: keepIfNull(name()), answer: nameColumn(memberships.name), searched: true },
  expiresAfterDays: {
    create: clearable(integer(0, 36_500), 0).openapi({
      type: ["integer", "null"],
      description: "Days from the start; null or 0: it does not expire",
    }),
    answer: column(memberships.expiresAfterDays, z.number().int().nullable(), {
      show: (days) => days || null,
      sort: { sorted: memberships.expiresAfterDays },
    }),
  },
})

/** The columns of a membership, alone and in the list. */
export const membershipColumns = listColumns({
  id: integerColumn(memberships.id),
  ...membershipFields.answers,
  created_at: dateColumn(memberships.createdAt, { sorted: memberships.createdAt }),
})
