import { and, eq, sql } from "drizzle-orm"
import { classEnrolments } from "../../../drizzle/classes.ts"
import { courses } from "../../../drizzle/courses.ts"
import { portalMembers } from "../../../drizzle/portals.ts"
import { mayKnow } from "../../gate/scope.ts"
import { idList } from "../../lib/sql.ts"
import { counted } from "../../lib/words.ts"
import type { UnitOfWork } from "../../lib/work.ts"
import type { ClassStatus } from "../class-reports/class-tallies.ts"

interface Marked {
  ids: number[]
  webinarId?: number | undefined
  portalId?: number | undefined
}

/**
 * Marks class enrolments with a status or with notes, an audit row for each that changes. Those that are unknown, or outside
 * the caller's reach, the class or the portal, are counted.
 * @throws 409 should one of them change in between
 */
export async function markEnrolments(
  work: UnitOfWork,
  { ids, webinarId, portalId }: Marked,
  mark: { status: ClassStatus } | { notes: string },
) {
  const { db, caller } = work
  const [changes] = Object.entries(mark)
  if (!changes) throw new Error("A mark without a value")
  const [field, value] = changes
  const column = "status" in mark ? classEnrolments.status : classEnrolments.notes
  const [found] = await work.read([
    db
      .select({ id: classEnrolments.id, differs: sql<number>`${column} <> ${value}`.as("differs") })
      .from(classEnrolments)
      .where(
        and(
          sql`${classEnrolments.id} in ${idList(ids)} and ${mayKnow(caller, classEnrolments.userId)}`,
          webinarId === undefined ? undefined : eq(classEnrolments.classId, webinarId),
          portalId === undefined
            ? undefined
            : sql`exists (select 1 from ${portalMembers} where ${portalMembers.portalId} = ${portalId} and ${portalMembers.userId} = ${classEnrolments.userId})`,
        ),
      ),
  ])
  const unknown = ids.length - found.length
  const answer = {
    message: [
      `${counted(found.length, "registration")} updated.`,
      ...(unknown > 0 ? [`${counted(unknown, "id")} unknown.`] : []),
    ].join(" "),
  }
  const changing = found.filter((row) => row.differs).map((row) => row.id)
  if (changing.length === 0) return work.commit([], answer)
  const these = sql`${classEnrolments.id} in ${idList(changing)}`
  return work.commit(
    [
      work.guard(
        sql`(select count(*) from ${classEnrolments} where ${these} and ${column} <> ${value}) = ${changing.length}`,
      ),
      work.auditMany(
        "updated",
        "class enrolment",
        sql`select ${classEnrolments.id} as id, ${courses.name} as name, json_object('userId', ${classEnrolments.userId}, ${field}, ${value}) as details from ${classEnrolments} join ${courses} on ${courses.id} = ${classEnrolments.courseId} where ${these}`,
      ),
      db.update(classEnrolments).set(mark).where(these),
    ],
    answer,
  )
}
