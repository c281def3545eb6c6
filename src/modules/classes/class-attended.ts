import { eq, type SQL, sql } from "drizzle-orm"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { literal } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { onAchievement } from "../gamification/awards.ts"

/** Awards learners who attended a class. @param condition selects class enrollments that just became Attended */
export const onClassAttended = ({ db }: UnitOfWork, condition: SQL): Statement =>
  onAchievement(
    db,
    "class_attended",
    { userId: classEnrollments.userId, targetId: classEnrollments.classId, at: classes.startAt },
    {
      from: sql`${classEnrollments} join ${classes} on ${eq(classes.id, classEnrollments.classId)}`,
      where: sql`${condition} and ${classEnrollments.status} = ${literal(ClassStatus.Attended)}`,
    },
  )
