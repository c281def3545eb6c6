import { sql } from "drizzle-orm"
import { users } from "../../drizzle/schema/users.ts"
import { idList, userRecords } from "../db/sql.ts"
import type { Statement, UnitOfWork } from "../db/unit-of-work.ts"
import { setUserType } from "./accounts.ts"
import { endSessions } from "./clients.ts"
import { LEARNER_TYPE, requireCredentials } from "./credentials.ts"

/**
 * Makes administrators of the learners among `people`: their user type becomes `userType`, and their sessions end, for
 * a token carries its user's type. Whoever ranks as high already keeps the type.
 * @param userType group_admin, or a portal's own such as portal_admin
 * @throws 403 for an API key: it makes nobody more than a learner
 */
export function promote(
  work: UnitOfWork,
  people: { id: number; userType: string }[],
  userType: string,
): { statements: Statement[]; tell: () => Promise<void> } {
  const learners = people.filter((person) => person.userType === LEARNER_TYPE)
  for (const person of learners) requireCredentials(work.caller, person, { role: userType })
  const below = learners.map((person) => person.id)
  const sessions = endSessions(work, below)
  if (below.length === 0) return sessions
  const these = sql`${users.id} in ${idList(below)} and ${users.userType} = ${LEARNER_TYPE}`
  return {
    statements: [
      work.auditMany("updated", "user", userRecords(these, { userType })),
      setUserType(work.db, these, userType),
      ...sessions.statements,
    ],
    tell: sessions.tell,
  }
}
