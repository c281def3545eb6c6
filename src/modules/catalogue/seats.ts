import { sql } from "drizzle-orm"
import { courses } from "../../../drizzle/courses.ts"
import { tallies } from "../../../drizzle/enrolments.ts"
import { subquery } from "../../lib/sql/sql.ts"

/** How many are enrolled in the course of the row. */
export const seatsTaken = subquery(
  sql<number>`coalesce((select ${tallies.notStarted} + ${tallies.inProgress} + ${tallies.completed} from ${tallies} where ${tallies.audience} = 'all' and ${tallies.courseId} = ${courses.id}), 0)`,
)
