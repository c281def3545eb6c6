import { sql } from "drizzle-orm"
import { users } from "../../drizzle/schema/users.ts"
import { idList, userRecords } from "../db/sql.ts"
import type { Statement } from "../db/statements.ts"
import type { UnitOfWork } from "../db/unit-of-work.ts"
import { setUserType } from "./accounts.ts"
import { LEARNER_TYPE, requireCredentials } from "./credentials.ts"
import { endSessions } from "./revocations.ts"

/**
 * Makes supervisors of the learners among `people`: sets their user type and ends their sessions, since a token has
 * the user type. Others keep their type.
 * @param userType group_admin, or a portal role such as portal_admin
 * @throws 403 for an API key, which can only create learners
 */
export function promoteLearners(
  work: UnitOfWork,
  people: { id: number; userType: string }[],
  userType: string,
): { statements: Statement[]; notify: () => Promise<void> } {
  const learners = people.filter((person) => person.userType === LEARNER_TYPE)
  for (const person of learners) requireCredentials(work.caller, person, { role: userType })
  const learnerIds = learners.map((person) => person.id)
  const sessions = endSessions(work, learnerIds)
  if (learnerIds.length === 0) return sessions
  const isLearner = sql`${users.id} in ${idList(learnerIds)} and ${users.userType} = ${LEARNER_TYPE}`
  return {
    statements: [
      work.auditMany("updated", "user", userRecords(isLearner, { userType })),
      setUserType(work.db, isLearner, userType),
      ...sessions.statements,
    ],
    notify: sessions.notify,
  }
}
