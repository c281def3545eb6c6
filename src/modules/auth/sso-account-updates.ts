import { eq, type SQL, sql } from "drizzle-orm"
import { customFieldValues } from "../../../drizzle/schema/custom-fields.ts"
import { groupMembers } from "../../../drizzle/schema/groups.ts"
import type { ssoProviders } from "../../../drizzle/schema/sso.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { setUserType } from "../../access/accounts.ts"
import { changedFields, guardUnchanged, updateChanged } from "../../db/records.ts"
import { sortableNames } from "../../db/search.ts"
import { subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { fullName } from "../../lib/text/words.ts"
import { joinGroups, leaveGroups } from "../organizations/group-members.ts"
import { type FieldDefinition, metaDetails, writeUserMetas } from "../users/custom-field-values.ts"
import { affectsSearchText, userSearchText } from "../users/user-fields.ts"
import { claimedGroups, claimedRole, nextUserType } from "./sso-mapping.ts"
import { type ClaimedPerson, claimedProfile } from "./sso-person.ts"

// What the claims of a provider change in an account at each sign-in, as the provider's settings say.

type Provider = typeof ssoProviders.$inferSelect
type Account = typeof users.$inferSelect & { groupIds: number[]; metaValues: Record<string, string> }

const parsed =
  <T>() =>
  (json: string): T =>
    JSON.parse(json)

/** The groups and custom field values of a user, as columns of a query of `users`. */
export const accountExtras = {
  groupIds: subquery(
    sql`(
      select json_group_array(${groupMembers.groupId}) from ${groupMembers}
      where ${groupMembers.userId} = ${users.id}
    )`,
  )
    .mapWith(parsed<number[]>())
    .as("group_ids"),
  metaValues: subquery(
    sql`(
      select json_group_object(${customFieldValues.fieldId}, ${customFieldValues.value}) from ${customFieldValues}
      where ${customFieldValues.userId} = ${users.id}
    )`,
  )
    .mapWith(parsed<Record<string, string>>())
    .as("meta_values"),
} satisfies Record<string, SQL.Aliased>

function groupChanges(provider: Provider, person: ClaimedPerson, current: number[]) {
  const claimed = claimedGroups(provider, person.claims)
  return {
    joined: (claimed?.member ?? []).filter((id) => !current.includes(id)),
    left: (claimed?.other ?? []).filter((id) => current.includes(id)),
  }
}

/** The names, avatar and custom fields that the claims change; nothing unless the provider updates accounts. */
function profileChanges(provider: Provider, person: ClaimedPerson, user: Account, fields: readonly FieldDefinition[]) {
  if (!provider.updates) return { changed: {}, metas: [] }
  const { avatar, metas, ...names } = claimedProfile(provider.claims, person, fields)
  const next = { firstName: names.firstName ?? user.firstName, lastName: names.lastName ?? user.lastName }
  return {
    changed: changedFields(user, { ...next, avatar: avatar?.(next) ?? user.avatar }),
    metas: metas.filter(({ field, value }) => user.metaValues[String(field.id)] !== value),
  }
}

/**
 * Plans what the claims change in an existing account. A new role ends the user's other sessions, which the caller does
 * in the same batch.
 */
export function planAccountUpdates(
  provider: Provider,
  person: ClaimedPerson,
  user: Account,
  fields: readonly FieldDefinition[],
) {
  const userType = nextUserType(user.userType, claimedRole(provider, person.claims))
  const { joined, left } = groupChanges(provider, person, user.groupIds)
  const { changed, metas } = profileChanges(provider, person, user, fields)
  const next = { ...user, ...changed }
  const isRoleChanged = userType !== user.userType
  const hasProfile = Object.keys(changed).length > 0
  const details = {
    ...(isRoleChanged && { userType }),
    ...(joined.length > 0 && { joinedGroups: joined }),
    ...(left.length > 0 && { leftGroups: left }),
    ...changed,
    ...metaDetails(metas),
  }
  const statements = (work: UnitOfWork): Statement[] => {
    if (Object.keys(details).length === 0) return []
    const { db } = work
    const search = affectsSearchText(changed) && { ...sortableNames(next), searchText: userSearchText(next) }
    return [
      ...(hasProfile ? [guardUnchanged(users, user), updateChanged(db, users, user, { ...changed, ...search })] : []),
      ...writeUserMetas(db, user.id, metas),
      ...(isRoleChanged ? [setUserType(db, eq(users.id, user.id), userType)] : []),
      ...(joined.length > 0 ? [joinGroups(db, user.id, joined)] : []),
      ...(left.length > 0 ? [leaveGroups(db, user.id, left)] : []),
      work.audit("updated", "user", { id: user.id, name: fullName(next) }, { ...details, provider: provider.name }),
    ]
  }
  return { user: { ...user, ...changed, userType }, isRoleChanged, statements }
}

/** The role and the groups of a new account. */
export function planNewAccount(provider: Provider, person: ClaimedPerson, userId: number) {
  const userType = claimedRole(provider, person.claims) ?? "general"
  const groupIds = claimedGroups(provider, person.claims)?.member ?? []
  return {
    userType,
    details: {
      ...(userType !== "general" && { userType }),
      ...(groupIds.length > 0 && { joinedGroups: groupIds }),
    },
    statements: ({ db }: UnitOfWork): Statement[] => [
      ...(userType === "general" ? [] : [setUserType(db, eq(users.id, userId), userType)]),
      ...(groupIds.length > 0 ? [joinGroups(db, userId, groupIds)] : []),
    ],
  }
}
