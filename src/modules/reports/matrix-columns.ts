import { z } from "@hono/zod-openapi"
import { users } from "../../../drizzle/schema/users.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { fullName } from "../../lib/text/words.ts"

/** The columns of the matrix before the courses. */
export const matrixColumns = listColumns({
  user_id: integerColumn(users.id),
  name: column({ firstName: users.firstName, lastName: users.lastName }, z.string(), {
    show: fullName,
    sort: users.firstNameKey,
  }),
  email: column(users.email, z.string(), { sort: { sorted: users.email } }),
  disabled: column(users.disabled, z.boolean()),
})
