import { and, eq, sql } from "drizzle-orm"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { canManageUser, inPortal } from "../../access/scope.ts"
import { idList, rowCount } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { pluralize } from "../../lib/text/words.ts"
import { attendanceAfter } from "./attendance-summary.ts"
import { onClassAttended } from "./class-attended.ts"
import { guardClassCapacity, locationCapacity, requireClassSeats } from "./class-seats.ts"

interface EnrollmentSelection {
  ids: number[]
  webinarId?: number | undefined
  portalId?: number | undefined
}

type EnrollmentUpdate = { status: ClassStatus } | { notes: string }

interface ReenrolledRow {
  classId: number
  size: number
  /** The capacity of the location; 0: unlimited. */
  capacity: number
}

/** Canceled enrollments that become active take seats. @throws 409 when a class has too few */
function requireSeatsByClass(rows: ReenrolledRow[]) {
  for (const rowsOfClass of Map.groupBy(rows, (row) => row.classId).values()) {
    const [first] = rowsOfClass
    if (first) requireClassSeats(rowsOfClass.length, first)
  }
}

/**
 * Sets the status or the notes of class enrollments, with an audit row for each one that changes. Ids that are unknown,
 * outside the class or the portal, or of users that the caller does not manage are counted.
 * @throws 409 when a class has too few seats for canceled enrollments that become active
 */
export async function updateClassEnrollments(
  work: UnitOfWork,
  { ids, webinarId, portalId }: EnrollmentSelection,
  update: EnrollmentUpdate,
) {
  const { db, caller } = work
  const [change] = Object.entries(update)
  if (!change) throw new Error("The update has no value")
  const [field, value] = change
  const column = "status" in update ? classEnrollments.status : classEnrollments.notes
  const [found] = await work.read([
    db
      .select({
        id: classEnrollments.id,
        classId: classEnrollments.classId,
        status: classEnrollments.status,
        size: classes.size,
        capacity: locationCapacity.as("room_for"),
        differs: sql<number>`${column} <> ${value}`.as("differs"),
      })
      .from(classEnrollments)
      .innerJoin(classes, eq(classes.id, classEnrollments.classId))
      .where(
        and(
          sql`${classEnrollments.id} in ${idList(ids)} and ${canManageUser(caller, classEnrollments.userId)}`,
          webinarId === undefined ? undefined : eq(classEnrollments.classId, webinarId),
          portalId === undefined ? undefined : inPortal(classEnrollments.userId, portalId),
        ),
      ),
  ])
  const unknownCount = ids.length - found.length
  const answer = {
    message: [
      `${pluralize(found.length, "enrollment")} updated.`,
      ...(unknownCount > 0 ? [`${pluralize(unknownCount, "id")} unknown.`] : []),
    ].join(" "),
  }
  const changedRows = found.filter((row) => row.differs)
  if (changedRows.length === 0) return work.commit([], answer)
  const reenrolled = "status" in update ? changedRows.filter((row) => row.status === ClassStatus.Cancelled) : []
  requireSeatsByClass(reenrolled)
  const isChanged = sql`${classEnrollments.id} in ${idList(changedRows.map((row) => row.id))}`
  const details = sql`json_object('user_id', ${classEnrollments.userId}, ${field}, ${value}, 'before', ${column})`
  return work.commit(
    [
      work.guard(eq(rowCount(classEnrollments, sql`${isChanged} and ${column} <> ${value}`), changedRows.length)),
      work.auditMany(
        "updated",
        "class enrollment",
        sql`
          select ${classEnrollments.id} as id, ${courses.name} as name, ${details} as details
          from ${classEnrollments}
          join ${classes} on ${classes.id} = ${classEnrollments.classId}
          join ${courses} on ${courses.id} = ${classes.courseId}
          where ${isChanged}`,
      ),
      db
        .update(classEnrollments)
        .set("status" in update ? { ...update, attendance: attendanceAfter(update.status) } : update)
        .where(isChanged),
      ...("status" in update && update.status === ClassStatus.Attended ? [onClassAttended(work, isChanged)] : []),
      ...(reenrolled.length > 0
        ? [
            guardClassCapacity(
              work,
              reenrolled.map((row) => row.classId),
            ),
          ]
        : []),
    ],
    answer,
  )
}
