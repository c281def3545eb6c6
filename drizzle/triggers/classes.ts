import { classCounts, classEnrollments, classes, classSessions } from "../schema/classes.ts"
import { NEXT_UPDATED_AT } from "../schema/columns.ts"
import { users } from "../schema/users.ts"
import { ClassStatus } from "../statuses.ts"
import { type AudienceCounter, audienceCounterTriggers, countsStatus } from "./audience-counters.ts"
import { changed, rowCounter, trigger } from "./declare.ts"
import { NAME_KEYS, userColumnCopies } from "./user-column-copies.ts"

/** 1 for an enrollment that takes a seat, else 0. */
const takesSeat = (row: "old" | "new") => `(${row}.status <> '${ClassStatus.Cancelled}')`

/** Counts class enrollments by status. */
export const classCounter: AudienceCounter = {
  counters: classCounts,
  source: classEnrollments,
  scope: [classCounts.classId],
  counts: {
    registered: countsStatus(classEnrollments.status, ClassStatus.Registered),
    attended: countsStatus(classEnrollments.status, ClassStatus.Attended),
    no_show: countsStatus(classEnrollments.status, ClassStatus.NoShow),
    cancelled: countsStatus(classEnrollments.status, ClassStatus.Cancelled),
  },
  watched: [classEnrollments.status],
  label: "classes",
}

export const classTriggers = [
  ...rowCounter(classes, { by: [classes.courseId] }),
  ...rowCounter(classSessions, { by: [classSessions.courseId] }),
  // Sessions copy the course of their class, for sorted lists.
  trigger(
    "classes_updated",
    { on: classes, after: "update", of: [classes.courseId], if: changed(classes.courseId) },
    "UPDATE class_sessions SET course_id = new.course_id WHERE class_id = new.id",
  ),
  ...audienceCounterTriggers(classCounter, {
    inserted: [
      `
    UPDATE classes SET size = size + ${takesSeat("new")}, updated_at = ${NEXT_UPDATED_AT}
    WHERE id = new.class_id`,
    ],
    updated: [
      `UPDATE classes SET size = size + ${takesSeat("new")} - ${takesSeat("old")}, updated_at = ${NEXT_UPDATED_AT}
    WHERE id = new.class_id AND ${takesSeat("new")} <> ${takesSeat("old")}`,
    ],
    deleted: [
      `
    UPDATE classes SET size = size - ${takesSeat("old")}, updated_at = ${NEXT_UPDATED_AT}
    WHERE id = old.class_id`,
    ],
  }),
  trigger(
    "class_counts_class_deleted",
    { on: classes, after: "delete" },
    "DELETE FROM class_counts WHERE class_id = old.id",
  ),
  ...userColumnCopies(classEnrollments, [...NAME_KEYS, users.firstName, users.lastName, users.email]),
]
