import { index, integer, primaryKey, text } from "drizzle-orm/sqlite-core"
import { checkedTable } from "./columns.ts"

export const EMAIL_RULE_KINDS = ["blocked", "allowed"] as const
export type EmailRuleKind = (typeof EMAIL_RULE_KINDS)[number]

/** The email addresses that accounts may have: globally, and for members of a portal. */
export const emailRules = checkedTable(
  "email_rules",
  {
    /** 0: global. */
    portalId: integer("portal_id").notNull(),
    /** An address, or a domain including its subdomains, in lower case. */
    entry: text("entry").notNull(),
    kind: text("kind", { enum: EMAIL_RULE_KINDS }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.portalId, table.entry] }),
    index("email_rules_kind").on(table.portalId, table.kind, table.entry),
  ],
)
