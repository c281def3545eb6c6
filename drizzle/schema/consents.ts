import { index, integer, text } from "drizzle-orm/sqlite-core"
import { ConsentStatus, valuesOf } from "../statuses.ts"
import { checkedTable, createdAt, id, version } from "./columns.ts"
import { users } from "./users.ts"

export const CONSENT_STATUSES = valuesOf(ConsentStatus)

/** Consents that users accepted or rejected. */
export const consents = checkedTable(
  "user_consents",
  {
    id: id(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The id of the consent text, defined by the client. */
    consentId: text("consent_id").notNull(),
    consentAt: integer("consent_at").notNull(),
    country: text("country").notNull(),
    ipAddress: text("ip_address").notNull(),
    status: text("status", { enum: CONSENT_STATUSES }).notNull(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    index("user_consents_user").on(table.userId, table.consentAt),
    index("user_consents_at").on(table.consentAt),
    index("user_consents_status_at").on(table.status, table.consentAt),
  ],
)
