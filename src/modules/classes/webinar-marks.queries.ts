import { and, eq, sql } from "drizzle-orm"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import { canManageUser, inPortal } from "../../access/scope.ts"
import { idList, rowCount } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { pluralize } from "../../lib/text/words.ts"
import { onClassAttended } from "./class-attended.ts"
import { guardClassCapacity, locationCapacity, requireClassSeats } from "./class-seats.ts"

interface Marked {
  ids: number[]
  webinarId?: number | undefined
  portalId?: number | undefined
}

type Mark = { status: ClassStatus } | { notes: string }

interface Place {
  classId: number
  size: number
  /** How many people its location has room for; 0: any number. */
  capacity: number
}

/** Cancelled places that come back take seats. @throws 409 where a class has too few */
function requireRoom(places: Place[]) {
  for (const ofClass of Map.groupBy(places, (place) => place.classId).values()) {
    const [first] = ofClass
    if (first) requireClassSeats(ofClass.length, first)
  }
}

/**
 * Marks class enrollments with a status or with notes, an audit row for each that changes. Those that are unknown, or
 * not of people whom the caller looks after, or outside the class or the portal, are counted.
 * @throws 409 when cancelled places that come back find too few seats
 */
export async function updateClassEnrollments(work: UnitOfWork, { ids, webinarId, portalId }: Marked, mark: Mark) {
  const { db, caller } = work
  const [changes] = Object.entries(mark)
  if (!changes) throw new Error("A mark without a value")
  const [field, value] = changes
  const column = "status" in mark ? classEnrollments.status : classEnrollments.notes
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
  const unknown = ids.length - found.length
  const answer = {
    message: [
      `${pluralize(found.length, "registration")} updated.`,
      ...(unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : []),
    ].join(" "),
  }
  const changing = found.filter((row) => row.differs)
  if (changing.length === 0) return work.commit([], answer)
  const returning = "status" in mark ? changing.filter((row) => row.status === ClassStatus.Cancelled) : []
  requireRoom(returning)
  const these = sql`${classEnrollments.id} in ${idList(changing.map((row) => row.id))}`
  const details = sql`json_object('user_id', ${classEnrollments.userId}, ${field}, ${value}, 'before', ${column})`
  return work.commit(
    [
      work.guard(eq(rowCount(classEnrollments, sql`${these} and ${column} <> ${value}`), changing.length)),
      work.auditMany(
        "updated",
        "class enrollment",
        sql`
          select ${classEnrollments.id} as id, ${courses.name} as name, ${details} as details
          from ${classEnrollments}
          join ${classes} on ${classes.id} = ${classEnrollments.classId}
          join ${courses} on ${courses.id} = ${classes.courseId}
          where ${these}`,
      ),
      db.update(classEnrollments).set(mark).where(these),
      ...("status" in mark && mark.status === ClassStatus.Attended ? [onClassAttended(work, these)] : []),
      ...(returning.length > 0
        ? [
            guardClassCapacity(
              work,
              returning.map((row) => row.classId),
            ),
          ]
        : []),
    ],
    answer,
  )
}
