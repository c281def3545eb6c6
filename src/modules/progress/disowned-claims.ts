import { sql } from "drizzle-orm"
import { assignmentClaims, assignmentPathClaims } from "../../../drizzle/schema/assignment-rules.ts"
import { idList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"

// When enrollments are ended by hand, the rules that require them no longer count as their creators: they must not
// remove what is enrolled by hand afterward.

export const disownEnrollments = ({ db }: UnitOfWork, userIds: number[], courseIds: number[]): Statement =>
  db
    .update(assignmentClaims)
    .set({ enrolled: false })
    .where(
      sql`${assignmentClaims.userId} in ${idList(userIds)} and ${assignmentClaims.courseId} in ${idList(courseIds)}
        and ${assignmentClaims.enrolled}`,
    )

export const disownPathEnrollments = ({ db }: UnitOfWork, userIds: number[], pathIds: number[]): Statement =>
  db
    .update(assignmentPathClaims)
    .set({ enrolled: false })
    .where(
      sql`${assignmentPathClaims.userId} in ${idList(userIds)}
        and ${assignmentPathClaims.learningPathId} in ${idList(pathIds)} and ${assignmentPathClaims.enrolled}`,
    )
