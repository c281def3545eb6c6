import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { CONSENT_STATUSES, consents } from "../../../drizzle/schema/consents.ts"
import { userName } from "../../db/sql.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, sortedIntegerColumn, sortedTextColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateTimeColumn } from "../../lib/spreadsheet/date-columns.ts"
import { displayDateTime } from "../../lib/text/dates.ts"

/** The columns of the consent list and of a single consent. */
export const consentColumns = listColumns({
  id: integerColumn(consents.id),
  consentDate: dateTimeColumn(consents.consentAt),
  consentId: sortedTextColumn(consents.consentId),
  country: sortedTextColumn(consents.country),
  ipAddress: sortedTextColumn(consents.ipAddress),
  status: column(consents.status, z.enum(CONSENT_STATUSES), { sort: { sorted: consents.status } }),
  userId: sortedIntegerColumn(consents.userId),
  userName: column(sql<string>`${userName(consents.userId)}`, z.string()),
  // A documented display date that has the name of an ISO 8601 time.
  createdAt: column(consents.createdAt, z.string().openapi({ example: "Jan 05, 2026 03:04 PM" }), {
    show: displayDateTime,
    sort: { sorted: consents.createdAt },
  }),
})
