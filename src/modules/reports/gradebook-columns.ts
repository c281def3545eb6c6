import { z } from "@hono/zod-openapi"
import { ENROLLMENT_STATUSES, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { column, listColumns, unindexed } from "../../lib/spreadsheet/columns.ts"
import { integerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { enrollmentReportColumns, learnerColumns, percentColumn } from "../enrollments/registration-columns.ts"

const { user_id, first_name, last_name, email } = learnerColumns

/** The columns of the gradebook before the modules. */
export const gradebookColumns = listColumns({
  id: column(enrollments.id, z.number().int().openapi({ description: "The registrationId" })),
  ...{ user_id, first_name, last_name, email },
  status: column(enrollments.status, z.enum(ENROLLMENT_STATUSES), { sort: { sorted: enrollments.status } }),
  percent_complete: percentColumn,
  pointsAwarded: unindexed(integerColumn(enrollments.pointsAwarded)),
  pointsPossible: column(
    enrollments.pointsPossible,
    z.number().int().openapi({ description: "The possible points of the modules that are graded" }),
    { sort: { sorted: enrollments.pointsPossible } },
  ),
  percent_achieved: enrollmentReportColumns.percent_achieved,
})
