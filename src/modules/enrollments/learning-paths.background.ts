import { sql } from "drizzle-orm"
import { learningPathEnrollments } from "../../../drizzle/schema/learning-paths.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { counter } from "../../db/sql.ts"
import { catchUp } from "./path-progress.ts"

/** Rows that completing a path writes beside its registration: an award, a badge and a score for each event. */
const COMPLETION_WEIGHT = 20

/** Recounts the registrations in a path whose courses changed. */
export const pathRecount: BackgroundKind<{ pathId: number }> = {
  name: "learning-path.recount",
  stages: [
    {
      table: learningPathEnrollments,
      where: ({ pathId }) => sql`${learningPathEnrollments.learningPathId} = ${pathId}`,
      key: [learningPathEnrollments.id],
      weight: 1,
      extraWeight: sql`iif(${learningPathEnrollments.status} = 'Completed', 0, ${COMPLETION_WEIGHT})`,
      // At most one of each user.
      total: () => counter("users"),
      change: ({ db }, _, which) => [catchUp(db, which)],
    },
  ],
}
