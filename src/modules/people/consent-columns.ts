import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core"
import { CONSENT_STATUSES, consents } from "../../../drizzle/consents.ts"
import { column, listColumns } from "../../lib/sheet/columns.ts"
import { nameOfUser } from "../../lib/sql/sql.ts"
import { displayDateTime } from "../../lib/text/dates.ts"

const moment = (at: AnySQLiteColumn<{ data: number; notNull: true }>) =>
  column(at, z.string().openapi({ example: "Jan 05, 2026 03:04 PM" }), { show: displayDateTime, sort: at })

/** The columns of the list of consents; a consent by itself is answered alike. */
export const consentColumns = listColumns({
  id: column(consents.id, z.number().int(), { sort: consents.id }),
  consentDate: moment(consents.consentAt),
  consentId: column(consents.consentId, z.string(), { sort: consents.consentId }),
  country: column(consents.country, z.string(), { sort: consents.country }),
  ipAddress: column(consents.ipAddress, z.string(), { sort: consents.ipAddress }),
  status: column(consents.status, z.enum(CONSENT_STATUSES), { sort: consents.status }),
  userId: column(consents.userId, z.number().int(), { sort: consents.userId }),
  userName: column(sql<string>`${nameOfUser(consents.userId)}`, z.string()),
  createdAt: moment(consents.createdAt),
})
