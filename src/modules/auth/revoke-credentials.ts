import { eq, sql } from "drizzle-orm"
import { apiKeys } from "../../../drizzle/schema/api-keys.ts"
import { recoveryCodes, twoFactor } from "../../../drizzle/schema/two-factor.ts"
import { setPasswordHash } from "../../access/accounts.ts"
import { requireCredentials } from "../../access/credentials.ts"
import { endKeys, endKeysOf, endOtherSessions } from "../../access/revocations.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"

/** Selects the API keys that a user created, for the round trip before `revokeCredentials`. */
export const apiKeysOf = ({ db }: UnitOfWork, userId: ReturnType<typeof sql>) =>
  db.select({ id: apiKeys.id }).from(apiKeys).where(sql`${apiKeys.createdBy} in (${userId})`)

const deleteKeys = (work: UnitOfWork, userId: number) => [
  work.auditMany(
    "deleted",
    "api key",
    sql`select id, name, '{}' as details from ${apiKeys} where ${apiKeys.createdBy} = ${userId}`,
  ),
  work.db.delete(apiKeys).where(eq(apiKeys.createdBy, userId)),
]

/** Deletes and ends the API keys that a user created, for a user who is disabled for good. */
export function revokeKeysOf(work: UnitOfWork, userId: number) {
  const keys = endKeysOf(work, userId)
  return { statements: [...keys.statements, ...deleteKeys(work, userId)], notify: keys.notify }
}

/**
 * Revokes every credential of a user who just proved that the account's email address is theirs: an earlier holder of
 * the account may have created them.
 * @param work a unit of work of the user
 * @param keyIds the API keys that the user created
 */
export function revokeCredentials(work: UnitOfWork, person: { id: number; userType: string }, keyIds: number[]) {
  const { db, caller } = work
  for (const change of ["password", "two-factor", "end sessions"] as const) requireCredentials(caller, person, change)
  const sessions = endOtherSessions(work, person.id)
  const keys = endKeys(work, keyIds)
  return {
    statements: [
      setPasswordHash(db, person.id, null),
      db.delete(twoFactor).where(eq(twoFactor.userId, person.id)),
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, person.id)),
      ...deleteKeys(work, person.id),
      ...sessions.statements,
      ...keys.statements,
    ],
    /** Ends sessions and keys after the batch. @returns the epoch of the session that is being opened */
    epoch: async () => {
      await keys.notify()
      return sessions.epoch()
    },
  }
}
