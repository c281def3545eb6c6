import { eq, sql } from "drizzle-orm"
import { classCounts, classEnrollments, classes, classSessions } from "../../../drizzle/schema/classes.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import type { BackgroundKind } from "../../db/background-work.ts"
import { classCourseName } from "./class-names.ts"
import { cancellationNotices, NOTICE_WEIGHT } from "./class-notices.ts"

/** One class or all classes of a course. */
export type ClassSelection = { classId: number } | { courseId: number }

export const isSelectedClass = (selection: ClassSelection) =>
  "classId" in selection ? eq(classes.id, selection.classId) : eq(classes.courseId, selection.courseId)

const classIds = (selection: ClassSelection) =>
  sql`(select ${classes.id} from ${classes} where ${isSelectedClass(selection)})`

/** The number of enrollments of the classes, from counters. */
export const countSelectedEnrollments = (selection: ClassSelection) => sql<number>`coalesce((
  select sum(${classCounts.registered} + ${classCounts.attended} + ${classCounts.noShow} + ${classCounts.cancelled})
  from ${classCounts}
  where ${classCounts.audience} = 'all' and ${classCounts.classId} in ${classIds(selection)}
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
      weight: 10,
      total: (selection) => sql`(select count(*) from ${classes} where ${isSelectedClass(selection)})`,
      change: (work, _, condition) => [
        work.auditMany(
          "deleted",
          "class",
          sql`
            select ${classes.id} as id, ${classCourseName} as name,
              json_object('enrollments', (
                select sum(registered + attended + no_show + cancelled) from ${classCounts} as counts
                where counts.audience = 'all' and counts.class_id = ${classes.id}
              )) as details
            from ${classes}
            where ${condition}`,
        ),
        work.db
          .update(classes)
          .set({ disabled: true, updatedAt: nextUpdatedAt })
          .where(sql`${condition} and not ${classes.disabled}`),
      ],
    },
    {
      table: classEnrollments,
      where: (selection) => sql`${classEnrollments.classId} in ${classIds(selection)}`,
      key: [classEnrollments.classId, classEnrollments.userId],
      weight: 13 + NOTICE_WEIGHT,
      extraWeight: sql`5 * ${classEnrollments.certificateCount} + (
        select count(*) from audiences where audiences.user_id = ${classEnrollments.userId}
      )`,
      total: countSelectedEnrollments,
      change: (work, _, condition) => [
        ...cancellationNotices(work, condition),
        work.db.delete(classEnrollments).where(condition),
      ],
    },
    {
      table: classSessions,
      where: (selection) => sql`${classSessions.classId} in ${classIds(selection)}`,
      key: [classSessions.classId, classSessions.startAt, classSessions.id],
      weight: 6,
      total: (selection) =>
        sql`(select sum(${classes.sessionCount}) from ${classes} where ${isSelectedClass(selection)})`,
      change: ({ db }, _, condition) => [db.delete(classSessions).where(condition)],
    },
    {
      table: classes,
      where: isSelectedClass,
      key: [classes.id],
      weight: 10,
      extraWeight: sql`2 * (select count(*) from class_counts where class_counts.class_id = ${classes.id})
        + 3 * (select count(*) from class_materials where class_materials.class_id = ${classes.id})
        + 2 * (select count(*) from class_recordings where class_recordings.class_id = ${classes.id})`,
      total: (selection) => sql`(select count(*) from ${classes} where ${isSelectedClass(selection)})`,
      change: ({ db }, _, condition) => [db.delete(classes).where(condition)],
    },
  ],
}
