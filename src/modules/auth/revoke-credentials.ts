import { eq, sql } from "drizzle-orm"
import { apiKeys } from "../../../drizzle/schema/api-keys.ts"
import { recoveryCodes, twoFactor } from "../../../drizzle/schema/two-factor.ts"
import { setPasswordHash } from "../../access/accounts.ts"
import { requireCredentials } from "../../access/credentials.ts"
import { endKeys, endOtherSessions } from "../../access/revocations.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"

/** The API keys that a user made, for the trip before `revokeCredentials`. */
export const keysOf = ({ db }: UnitOfWork, userId: ReturnType<typeof sql>) =>
  db.select({ id: apiKeys.id }).from(apiKeys).where(sql`${apiKeys.createdBy} in (${userId})`)

/**
 * Voids all by which anybody could sign in as a person who proves just now that the account's address is theirs, or
 * could act for them: whoever had the account before may have set it up.
 * @param work the person's own
 * @param keyIds of the API keys that they made
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
    /** Ends sessions and keys at once, after the batch. @returns the epoch of the session that is being opened */
    epoch: async () => {
      await keys.notify()
      return sessions.epoch()
    },
  }
}
