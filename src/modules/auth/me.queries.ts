import { and, eq } from "drizzle-orm"
import { groupAdmins, groups } from "../../../drizzle/schema/groups.ts"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { accountColumns } from "../../access/accounts.ts"
import type { Database } from "../../db/client.ts"
import { selectSettings } from "../../db/settings.ts"
import { type Caller, canSeeAllUsers, isSupervisor } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { fullName } from "../../lib/text/words.ts"
import { unreadCount } from "../notifications/unread.ts"

/** What only people have. */
const NOBODY = { timeZone: null, language: null, unreadNotifications: 0, settings: undefined }

const toIso = (at: number | undefined) => (at ? new Date(at).toISOString() : null)

/**
 * Describes the caller and their permissions: API keys without a round trip, users in one.
 * @throws 404 for anonymous callers
 */
export async function describeCaller(db: Database, caller: Caller) {
  const everyone = canSeeAllUsers(caller) ? ("everyone" as const) : undefined
  if (caller.kind === "key" && caller.grant) {
    const { keyId: id, name, role, access, families, scopes, expiresAt } = caller.grant
    const scope = { access, families, scopes, sees: everyone ?? ("nobody" as const), groups: [], portals: [] }
    return { kind: "key" as const, id, name, email: null, role, scope, expiresAt: toIso(expiresAt), ...NOBODY }
  }
  if (caller.kind !== "user") throw notFound("caller")
  const [[user], administeredGroups, administeredPortals, [settings]] = await db.batch([
    db
      .select({
        ...accountColumns,
        timeZone: users.timeZone,
        language: users.language,
        unread: unreadCount(caller.id).as("unread"),
      })
      .from(users)
      .where(eq(users.id, caller.id)),
    db
      .select({ id: groups.id, name: groups.name })
      .from(groupAdmins)
      .innerJoin(groups, eq(groups.id, groupAdmins.groupId))
      .where(eq(groupAdmins.userId, caller.id)),
    db
      .select({ id: portals.id, name: portals.name })
      .from(portalMembers)
      .innerJoin(portals, eq(portals.id, portalMembers.portalId))
      .where(and(eq(portalMembers.userId, caller.id), eq(portalMembers.role, "admin"))),
    selectSettings(db),
  ])
  if (!user) throw notFound("user")
  const sees = everyone ?? (isSupervisor(caller) ? ("members" as const) : ("itself" as const))
  return {
    kind: "user" as const,
    id: user.id,
    name: fullName(user),
    email: user.email,
    role: user.userType,
    scope: {
      access: "write" as const,
      families: null,
      scopes: [],
      sees,
      groups: administeredGroups,
      portals: administeredPortals,
    },
    expiresAt: toIso(caller.session?.expiresAt),
    timeZone: user.timeZone,
    language: user.language,
    unreadNotifications: user.unread,
    settings,
  }
}
