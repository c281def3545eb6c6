import { sql } from "drizzle-orm"
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core"
import { bool, createdAt, id, version } from "./columns.ts"
import { portals } from "./portals.ts"
import { users } from "./users.ts"

/** OpenID Connect providers of the academy or a portal. */
export const ssoProviders = sqliteTable(
  "sso_providers",
  {
    id: id(),
    /** The label of the button. */
    name: text("name").notNull(),
    /** The segment in the start and callback URLs. */
    slug: text("slug").notNull().unique(),
    /** As written by the provider. */
    issuer: text("issuer").notNull(),
    clientId: text("client_id").notNull(),
    /** Encrypted; null: a public client. */
    clientSecret: text("client_secret"),
    /** Separated by spaces. */
    scopes: text("scopes").notNull(),
    /** null: the academy's. */
    portalId: integer("portal_id").references(() => portals.id, { onDelete: "cascade" }),
    /** The email domains that it signs in, in lower case; empty: any. */
    domains: text("domains", { mode: "json" }).$type<string[]>().notNull(),
    /** The user field for each additional claim. */
    claims: text("claims", { mode: "json" }).$type<Record<string, string>>().notNull(),
    /** The claim with the roles of a person, and the user type for each value; an empty claim: none. */
    roleClaim: text("role_claim").notNull().default(""),
    roles: text("roles", { mode: "json" }).$type<Record<string, "general" | "staff" | "admin">>().notNull().default({}),
    /** The claim with the groups of a person, and the group for each value; an empty claim: none. */
    groupClaim: text("group_claim").notNull().default(""),
    groups: text("groups", { mode: "json" }).$type<Record<string, number>>().notNull().default({}),
    /** Whether its claims update names, avatars and custom fields at each sign-in. */
    updates: bool("updates").notNull().default(false),
    /** Whether signing out leads to the provider. */
    endsSession: bool("ends_session").notNull().default(false),
    /** Whether it creates accounts for new users. */
    creates: bool("creates").notNull(),
    /** Whether its users may not use a password. */
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

/** The user of each provider identity. The address may change at the provider; the subject does not. */
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
    // One identity per user and provider, so that a reassigned address gives no access.
    uniqueIndex("user_identities_user").on(table.userId, table.providerId),
  ],
)

/** The sessions that a provider opened, by its `sid`, so that its back-channel logout ends them. */
export const ssoSessions = sqliteTable(
  "sso_sessions",
  {
    providerId: integer("provider_id")
      .notNull()
      .references(() => ssoProviders.id, { onDelete: "cascade" }),
    sid: text("sid").notNull(),
    userId: integer("user_id")
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The id of the session's token. */
    sessionId: text("session_id").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.providerId, table.sid, table.sessionId] }),
    index("sso_sessions_expires").on(table.expiresAt),
    index("sso_sessions_user").on(table.userId),
  ],
)

/** The logout tokens that were used, until they expire. */
export const ssoLogoutTokens = sqliteTable(
  "sso_logout_tokens",
  {
    providerId: integer("provider_id")
      .notNull()
      .references(() => ssoProviders.id, { onDelete: "cascade" }),
    /** SHA-256 of the token's `jti`. */
    jtiHash: text("jti_hash").notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.providerId, table.jtiHash] }),
    index("sso_logout_tokens_expires").on(table.expiresAt),
  ],
)
