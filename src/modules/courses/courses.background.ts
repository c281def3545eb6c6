import { type SQLWrapper, sql } from "drizzle-orm"
import type { SQLiteTable } from "drizzle-orm/sqlite-core"
import { certificates } from "../../../drizzle/schema/certificates.ts"
import { classes } from "../../../drizzle/schema/classes.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { activities, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { learningPathCourses } from "../../../drizzle/schema/learning-paths.ts"
import { membershipCourses } from "../../../drizzle/schema/membership-courses.ts"
import { reviews } from "../../../drizzle/schema/reviews.ts"
import type { BackgroundKind, Stage } from "../../db/background-work.ts"
import { type Deletion, deletionStatements } from "../../db/records.ts"
import { idList, rowExists } from "../../db/sql.ts"

/** Courses in use can't be deleted. */
export const isCourseInUse = () => sql`(
  ${rowExists(enrollments, sql`${enrollments.courseId} = ${courses.id}`)}
  or ${rowExists(learningPathCourses, sql`${learningPathCourses.courseId} = ${courses.id}`)}
  or ${rowExists(classes, sql`${classes.courseId} = ${courses.id}`)}
)`

type OfCourse = SQLiteTable & { courseId: SQLWrapper }

const rowsOf = (table: OfCourse, id: SQLWrapper, weight: number): Stage<Deletion> => ({
  table,
  where: ({ ids }) => sql`${table.courseId} in ${idList(ids)}`,
  key: [table.courseId, id],
  weight,
  total: () => sql`0`,
  change: ({ db }, _, which) => [db.delete(table).where(which)],
})

const nameOf = (courseId: SQLWrapper) => sql`(select ${courses.name} from ${courses} where ${courses.id} = ${courseId})`

/** Deletes unused courses. A course that is in use by the end of the job is not deleted. */
export const courseDeletion: BackgroundKind<Deletion> = {
  name: "courses.delete",
  stages: [
    {
      ...rowsOf(reviews, reviews.userId, 10),
      total: ({ ids }) =>
        sql`(select sum(${courses.ratingCount}) from ${courses} where ${courses.id} in ${idList(ids)})`,
    },
    {
      ...rowsOf(activities, activities.id, 3),
      change: ({ db }, _, which) => [
        db
          .update(activities)
          .set({ courseName: nameOf(activities.courseId), courseId: null })
          .where(which),
      ],
    },
    {
      ...rowsOf(certificates, certificates.id, 4),
      change: ({ db }, _, which) => [
        db.update(certificates).set({ courseId: null, updatedAt: nextUpdatedAt }).where(which),
      ],
    },
    rowsOf(groupCourseSeats, groupCourseSeats.groupId, 2),
    rowsOf(membershipCourses, membershipCourses.membershipId, 2),
  ],
  finish: (work, params) => deletionStatements(courses, isCourseInUse())(work, params),
}
