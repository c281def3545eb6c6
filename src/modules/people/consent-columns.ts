import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { CONSENT_STATUSES, consents } from "../../../drizzle/consents.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { integerColumn, sortedIntegerColumn, sortedTextColumn } from "../../lib/sheet/common-columns.ts"
import { dateTimeColumn } from "../../lib/sheet/date-columns.ts"
import { nameOfUser } from "../../lib/sql/sql.ts"

/** The columns of the list of consents; a consent by itself is answered alike. */
export const consentColumns = listColumns({
  id: integerColumn(consents.id),
  consentDate: dateTimeColumn(consents.consentAt),
  consentId: sortedTextColumn(consents.consentId),
  country: sortedTextColumn(consents.country),
  ipAddress: sortedTextColumn(consents.ipAddress),
  status: column(consents.status, z.enum(CONSENT_STATUSES), { sort: { sorted: consents.status } }),
  userId: sortedIntegerColumn(consents.userId),
  userName: column(sql<string>`${nameOfUser(consents.userId)}`, z.string()),
  createdAt: dateTimeColumn(consents.createdAt, { sorted: consents.createdAt }),
})
