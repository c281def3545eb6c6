import { eq, sql } from "drizzle-orm"
import { classCounts, classEnrollments, classes, classSessions } from "../../../drizzle/schema/classes.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { classCourseName } from "./class-names.ts"

/** One class or all classes of a course. */
export type ClassSelection = { classId: number } | { courseId: number }

export const isSelectedClass = (which: ClassSelection) =>
  "classId" in which ? eq(classes.id, which.classId) : eq(classes.courseId, which.courseId)

const classIds = (which: ClassSelection) => sql`(select ${classes.id} from ${classes} where ${isSelectedClass(which)})`

/** The number of enrollments of the classes, from counters. */
export const countSelectedEnrollments = (which: ClassSelection) => sql<number>`coalesce((
  select sum(${classCounts.registered} + ${classCounts.attended} + ${classCounts.noShow} + ${classCounts.cancelled})
  from ${classCounts}
  where ${classCounts.audience} = 'all' and ${classCounts.classId} in ${classIds(which)}
), 0)`

/** Deletes classes: their enrollments first, then their sessions, then the classes. */
export const classDeletion: BackgroundKind<ClassSelection> = {
  name: "classes.delete",
  stages: [
    {
      // The classes are disabled first, so that no one enrolls while the job runs.
      table: classes,
      where: isSelectedClass,
      key: [classes.id],
      weight: 9,
      total: (which) => sql`(select count(*) from ${classes} where ${isSelectedClass(which)})`,
      change: (work, _, these) => [
        work.auditMany(
          "deleted",
          "class",
          sql`
            select ${classes.id} as id, ${classCourseName} as name,
              json_object('enrollments', (
                select sum(registered + attended + no_show + cancelled) from ${classCounts} as held
                where held.audience = 'all' and held.class_id = ${classes.id}
              )) as details
            from ${classes}
            where ${these}`,
        ),
        work.db
          .update(classes)
          .set({ disabled: true, updatedAt: nextUpdatedAt })
          .where(sql`${these} and not ${classes.disabled}`),
      ],
    },
    {
      table: classEnrollments,
      where: (which) => sql`${classEnrollments.classId} in ${classIds(which)}`,
      key: [classEnrollments.classId, classEnrollments.userId],
      weight: 12,
      extraWeight: sql`5 * ${classEnrollments.certificateCount} + (
        select count(*) from audiences where audiences.user_id = ${classEnrollments.userId}
      )`,
      total: countSelectedEnrollments,
      change: ({ db }, _, these) => [db.delete(classEnrollments).where(these)],
    },
    {
      table: classSessions,
      where: (which) => sql`${classSessions.classId} in ${classIds(which)}`,
      key: [classSessions.classId, classSessions.startAt, classSessions.id],
      weight: 6,
      total: (which) => sql`(select sum(${classes.sessionCount}) from ${classes} where ${isSelectedClass(which)})`,
      change: ({ db }, _, these) => [db.delete(classSessions).where(these)],
    },
    {
      table: classes,
      where: isSelectedClass,
      key: [classes.id],
      weight: 9,
      extraWeight: sql`2 * (select count(*) from class_counts where class_counts.class_id = ${classes.id})
        + 3 * (select count(*) from class_materials where class_materials.class_id = ${classes.id})
        + 2 * (select count(*) from class_recordings where class_recordings.class_id = ${classes.id})`,
      total: (which) => sql`(select count(*) from ${classes} where ${isSelectedClass(which)})`,
      change: ({ db }, _, these) => [db.delete(classes).where(these)],
    },
  ],
}
