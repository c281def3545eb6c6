import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { bool, createdAt, id, version } from "./columns.ts"
import { portals } from "./portals.ts"
import { users } from "./users.ts"

/** Who signs people in for the academy, or for a portal, by OpenID Connect. */
export const ssoProviders = sqliteTable(
  "sso_providers",
  {
    id: id(),
    /** What the button says. */
    name: text("name").notNull(),
    /** Its part of the addresses of start and callback. */
    slug: text("slug").notNull().unique(),
    /** As the provider itself writes it. */
    issuer: text("issuer").notNull(),
    clientId: text("client_id").notNull(),
    /** Sealed; null: a public client. */
    clientSecret: text("client_secret"),
    /** Separated by blanks. */
    scopes: text("scopes").notNull(),
    /** null: the academy's. */
    portalId: integer("portal_id").references(() => portals.id, { onDelete: "cascade" }),
    /** The domains of the addresses that it signs in, in lower case; empty: any. */
    domains: text("domains", { mode: "json" }).$type<string[]>().notNull(),
    /** The field of a user that each claim fills, beside the standard ones. */
    claims: text("claims", { mode: "json" }).$type<Record<string, string>>().notNull(),
    /** Whether it makes users of those who have no account yet. */
    creates: bool("creates").notNull(),
    /** Whether those whom it signs in may not use a password. */
    forced: bool("forced").notNull(),
    active: bool("active").notNull(),
    version: version(),
    createdAt: createdAt(),
  },
  (table) => [
    index("sso_providers_name").on(sql`${table.name} collate nocase`),
    index("sso_providers_portal").on(table.portalId),
  ],
)

/** Who a person of a provider is here. Their address may change there; their subject does not. */
export const userIdentities = sqliteTable(
  "user_identities",
  {
    providerId: integer("provider_id")
      .notNull()
      .references(() => ssoProviders.id, { onDelete: "cascade" }),
    /** The ID token's `sub`. */
    subject: text("subject").notNull(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.providerId, table.subject] }),
    // A user is one person of a provider, so that an address that is given to somebody else there opens nothing.
    uniqueIndex("user_identities_user").on(table.userId, table.providerId),
  ],
)
