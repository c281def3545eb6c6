import { eq, sql } from "drizzle-orm"
import { apiKeys } from "../../../drizzle/schema/api-keys.ts"
import { recoveryCodes, twoFactor } from "../../../drizzle/schema/two-factor.ts"
import { setPasswordHash } from "../../access/accounts.ts"
import { requireCredentials } from "../../access/credentials.ts"
import { endKeys, endOtherSessions } from "../../access/revocations.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"

/** Selects the API keys that a user created, for the round trip before `revokeCredentials`. */
export const apiKeysOf = ({ db }: UnitOfWork, userId: ReturnType<typeof sql>) =>
  db.select({ id: apiKeys.id }).from(apiKeys).where(sql`${apiKeys.createdBy} in (${userId})`)

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
  const made = sql`select id, name, '{}' as details from ${apiKeys} where ${apiKeys.createdBy} = ${person.id}`
  return {
    statements: [
      setPasswordHash(db, person.id, null),
      db.delete(twoFactor).where(eq(twoFactor.userId, person.id)),
      db.delete(recoveryCodes).where(eq(recoveryCodes.userId, person.id)),
      work.auditMany("deleted", "api key", made),
      db.delete(apiKeys).where(eq(apiKeys.createdBy, person.id)),
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
