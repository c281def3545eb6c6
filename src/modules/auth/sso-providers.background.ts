import { eq, sql } from "drizzle-orm"
import { ssoProviders, userIdentities } from "../../../drizzle/schema/sso.ts"
import type { BackgroundKind, Stage } from "../../db/background-work.ts"
import { type Deletion, deletionStatements } from "../../db/records.ts"
import { counter, idList } from "../../db/sql.ts"

const identities: Stage<Deletion> = {
  table: userIdentities,
  where: ({ ids }) => sql`${userIdentities.providerId} in ${idList(ids)}`,
  key: [userIdentities.providerId, userIdentities.subject],
  weight: 2,
  // At most one per user.
  total: () => counter("users"),
  change: ({ db }, _, condition) => [db.delete(userIdentities).where(condition)],
}

/** Deletes providers with the links between their people and users. */
export const providerDeletion: BackgroundKind<Deletion> = {
  name: "sso-providers.delete",
  stages: [identities],
  finish: deletionStatements(ssoProviders),
}

/** Deletes the links of a provider whose issuer or client changed, then activates the provider. */
export const providerUnlinking: BackgroundKind<Deletion & { active: boolean }> = {
  name: "sso-providers.unlink",
  stages: [identities],
  finish: ({ db }, { ids, active }) =>
    active
      ? [
          db
            .update(ssoProviders)
            .set({ active, version: sql`${ssoProviders.version} + 1` })
            .where(sql`${ssoProviders.id} in ${idList(ids)} and ${eq(ssoProviders.active, false)}`),
        ]
      : [],
}
