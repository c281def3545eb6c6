import { sql } from "drizzle-orm"
import { learningPathEnrollments } from "../../../drizzle/schema/learning-paths.ts"
import { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { counter, literal } from "../../db/sql.ts"
import { onPathsProgressed } from "../progress/path-progress.ts"

/** Rows written when a path is completed: an award, a badge and a score per event. */
const COMPLETION_WEIGHT = 22

/** Recounts the enrollments of a path after its courses changed. */
export const pathRecount: BackgroundKind<{ pathId: number }> = {
  name: "learning-path.recount",
  stages: [
    {
      table: learningPathEnrollments,
      where: ({ pathId }) => sql`${learningPathEnrollments.learningPathId} = ${pathId}`,
      key: [learningPathEnrollments.id],
      weight: 1,
      extraWeight: sql`${COMPLETION_WEIGHT}
        * (${learningPathEnrollments.status} <> ${literal(EnrollmentStatus.Completed)})`,
      // At most one enrollment per user.
      total: () => counter("users"),
      change: ({ db }, _, condition) => onPathsProgressed(db, condition),
    },
  ],
}
