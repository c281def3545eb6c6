import { users } from "../../../drizzle/schema/users.ts"
import { listColumns } from "../../lib/spreadsheet/columns.ts"
import { userColumns } from "../users/user-columns.ts"

const { first_name, last_name, email, user_type, created_at, last_login } = userColumns.columns

/** The columns of the report on users by creation date. */
export const usersReportColumns = listColumns(
  { created_at, first_name, last_name, email, user_type, last_login },
  { id: users.id },
)
