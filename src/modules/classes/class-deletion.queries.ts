import { eq, sql } from "drizzle-orm"
import { classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { firstRow } from "../../db/client.ts"
import { existingRecords } from "../../db/records.ts"
import { rowCount, subquery } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { notFound } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { type ClassSelection, classDeletion, countSelectedEnrollments, isSelectedClass } from "./classes.background.ts"

/**
 * Deletes classes with their enrollments, in a background job if there are many.
 * @param owner the record in the request
 * @param messageOf makes the message from counts that the batch guards
 * @throws 404 when the record does not exist
 */
async function deleteClasses(
  work: UnitOfWork,
  {
    of: owner,
    which: selection,
  }: { of: { table: typeof classes | typeof courses; id: number; thing: string }; which: ClassSelection },
  messageOf: (deleted: number, enrollments: number) => string,
) {
  const { db } = work
  const count = sql<number>`count(*)`.as("count")
  const isSelected = isSelectedClass(selection)
  const plan = planBackgroundWork(work, classDeletion, selection)
  const [ownerRows, found, planned] = await work.read([
    existingRecords(db, owner.table, [owner.id]),
    db
      .select({ count, enrollments: subquery(countSelectedEnrollments(selection)).as("enrollments") })
      .from(classes)
      .where(isSelected),
    plan.question,
  ])
  if (ownerRows.length === 0) throw notFound(owner.thing)
  const { count: deleted, enrollments } = firstRow(found)
  if (deleted === 0) return work.commit([], { message: messageOf(deleted, enrollments) })
  const { statements, job, start } = plan.decide(planned)
  const answer = { message: messageOf(deleted, enrollments), ...job }
  await work.commit(
    [
      work.guard(
        sql`${eq(rowCount(classes, isSelected), deleted)} and ${eq(countSelectedEnrollments(selection), enrollments)}`,
      ),
      ...statements,
    ],
    answer,
  )
  await start()
  return answer
}

/** Deletes a class with its enrollments. @throws 404 */
export const deleteClass = (work: UnitOfWork, id: number) =>
  deleteClasses(work, { of: { table: classes, id, thing: "class" }, which: { classId: id } }, (_, enrollments) =>
    enrollments > 0 ? `Class deleted, with ${pluralize(enrollments, "enrollment")}.` : "Class deleted.",
  )

/** Deletes all classes of a course. @throws 404 for an unknown course */
export const deleteCourseClasses = (work: UnitOfWork, courseId: number) =>
  deleteClasses(
    work,
    { of: { table: courses, id: courseId, thing: "course" }, which: { courseId } },
    (deleted, enrollments) =>
      `${pluralize(deleted, "class", "classes")} deleted and ${pluralize(enrollments, "enrollment")} removed.`,
  )
