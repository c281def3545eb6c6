import { and, eq, type SQL, sql } from "drizzle-orm"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { nextUpdatedAt } from "../../../drizzle/schema/columns.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { portalMembers, portals } from "../../../drizzle/schema/portals.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { canChangeCredentials } from "../../access/credentials.ts"
import { endSessions } from "../../access/revocations.ts"
import { canSeeUser } from "../../access/scope.ts"
import type { AuditAction } from "../../db/audit-rows.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { idList, rowExists, userRecords } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { fullName, pluralize } from "../../lib/text/words.ts"
import { deletedSupervisors } from "./deleted-supervisors.background.ts"
import type { UserDeletion } from "./users.schemas.ts"

// Changes of many users in one request.

interface Target {
  id: number
  firstName: string
  lastName: string
  userType: string
}

/** Selects the users of `ids` that the caller can see. @param within a further condition on users */
export const visibleUsers = (work: UnitOfWork, ids: number[], within?: SQL) =>
  work.db
    .select({
      id: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      userType: users.userType,
      disabled: users.disabled,
    })
    .from(users)
    .where(and(sql`${users.id} in ${idList(ids)}`, canSeeUser(work.caller, users.id), within))
    .orderBy(users.id)

export const auditUsers = (work: UnitOfWork, action: AuditAction, ids: number[], details: SQL) =>
  work.auditMany(action, "user", userRecords(sql`${users.id} in ${idList(ids)}`, details))

type NamedRecord = { id: number; name: string }

/** Groups records by the user's name. `fromEntries` makes any name safe as a key. */
function byUserName(
  rows: { userId: number; id: number; name: string }[],
  found: Target[],
): Record<string, NamedRecord[]> {
  const names = new Map(found.map((user) => [user.id, fullName(user)]))
  const known = rows.filter((row) => names.has(row.userId))
  const byName = Map.groupBy(known, (row) => names.get(row.userId) ?? "")
  return Object.fromEntries([...byName].map(([name, records]) => [name, records.map(({ id, name }) => ({ id, name }))]))
}

/**
 * Deletes users. Not deleted are users with enrollments, class registrations or portal access, authors, instructors,
 * the caller, and users that the caller may not delete. Unknown ids are counted.
 */
export async function deleteUsers(work: UnitOfWork, { delete_ids }: UserDeletion) {
  const { db, caller } = work
  const these = idList(delete_ids)
  const takesCourse = rowExists(
    enrollments,
    and(eq(enrollments.courseId, courses.id), eq(enrollments.userId, classEnrollments.userId)),
  )
  const scope = planBackgroundWork(work, deletedSupervisors, { ids: delete_ids })
  const [planned, found, inCourses, inClasses, courseAuthors, moduleAuthors, instructors, inPortals] = await work.read([
    scope.question,
    visibleUsers(work, delete_ids),
    db
      .select({ userId: enrollments.userId, id: courses.id, name: courses.name })
      .from(enrollments)
      .innerJoin(courses, eq(courses.id, enrollments.courseId))
      .where(sql`${enrollments.userId} in ${these}`)
      .orderBy(courses.name),
    // Users who have a class registration but no enrollment in the course.
    db
      .selectDistinct({ userId: classEnrollments.userId, id: courses.id, name: courses.name })
      .from(classEnrollments)
      .innerJoin(classes, eq(classes.id, classEnrollments.classId))
      .innerJoin(courses, eq(courses.id, classes.courseId))
      .where(sql`${classEnrollments.userId} in ${these} and not ${takesCourse}`)
      .orderBy(courses.name),
    db
      .select({ userId: sql<number>`${courses.authorId}`.as("author"), id: courses.id, name: courses.name })
      .from(courses)
      .where(sql`${courses.authorId} in ${these}`)
      .orderBy(courses.name),
    db
      .select({ userId: sql<number>`${modules.authorId}`.as("author"), id: modules.id, name: modules.name })
      .from(modules)
      .where(sql`${modules.authorId} in ${these}`)
      .orderBy(modules.name),
    db
      .select({ userId: classes.instructorId, id: classes.id, name: courses.name })
      .from(classes)
      .innerJoin(courses, eq(courses.id, classes.courseId))
      .where(sql`${classes.instructorId} in ${these}`)
      .orderBy(courses.name),
    db
      .select({ userId: portalMembers.userId, id: portals.id, name: portals.name })
      .from(portalMembers)
      .innerJoin(portals, eq(portals.id, portalMembers.portalId))
      .where(sql`${portalMembers.userId} in ${idList(delete_ids)}`)
      .orderBy(portals.name),
  ])
  const uses = [inCourses, inClasses, courseAuthors, moduleAuthors, instructors, inPortals]
  const retainedIds = new Set([
    ...uses.flatMap((rows) => rows.map((row) => row.userId)),
    ...found
      .filter((user) => user.id === caller.id || !canChangeCredentials(caller, user, "delete"))
      .map((user) => user.id),
  ])
  const deleted = found.filter((user) => !retainedIds.has(user.id))
  const ids = deleted.map((user) => user.id)
  const toNamedRecord = (user: Target): NamedRecord => ({ id: user.id, name: fullName(user) })
  const unknown = delete_ids.length - found.length
  const enrolled = new Set([...inCourses, ...inClasses].map((row) => row.userId))
  const others = [...retainedIds].filter((id) => !enrolled.has(id)).length
  const scopeDeletion = scope.decide(planned, { ids })
  const answer = {
    ...(ids.length > 0 && scopeDeletion.job),
    message: [
      `${pluralize(ids.length, "user")} deleted.`,
      ...(enrolled.size > 0 ? [`${pluralize(enrolled.size, "user")} with enrollments not deleted.`] : []),
      ...(others > 0
        ? [
            `${pluralize(others, "user")} not deleted: authors, instructors, users with portal access, ` +
              "or users you don't have permission to delete.",
          ]
        : []),
      ...(unknown > 0 ? [`${pluralize(unknown, "id")} unknown.`] : []),
    ].join(" "),
    deletedStudents: deleted.map(toNamedRecord),
    notDeletedStudents: found.filter((user) => retainedIds.has(user.id)).map(toNamedRecord),
    usedInCourses: byUserName([...inCourses, ...inClasses], found),
    usedAsCourseAuthors: byUserName(courseAuthors, found),
    usedAsModuleAuthors: byUserName(moduleAuthors, found),
    usedAsInstructors: byUserName(instructors, found),
    usedInPortals: byUserName(inPortals, found),
  }
  if (ids.length === 0) return work.commit([], answer)
  const sessions = endSessions(work, ids)
  const usageChecks = [
    rowExists(portalMembers, sql`${portalMembers.userId} in ${idList(ids)}`),
    rowExists(enrollments, sql`${enrollments.userId} in ${idList(ids)}`),
    rowExists(courses, sql`${courses.authorId} in ${idList(ids)}`),
    rowExists(modules, sql`${modules.authorId} in ${idList(ids)}`),
    rowExists(classEnrollments, sql`${classEnrollments.userId} in ${idList(ids)}`),
    rowExists(classes, sql`${classes.instructorId} in ${idList(ids)}`),
  ]
  await work.commit(
    [
      work.guard(sql`(select count(*) from ${users} where ${users.id} in ${idList(ids)}) = ${ids.length}`),
      work.guard(
        sql.join(
          usageChecks.map((use) => sql`not ${use}`),
          sql` and `,
        ),
      ),
      auditUsers(work, "deleted", ids, sql`json_object('email', email)`),
      db.delete(users).where(sql`${users.id} in ${idList(ids)}`),
      ...scopeDeletion.statements,
      ...sessions.statements,
    ],
    answer,
  )
  await Promise.all([sessions.notify(), scopeDeletion.start()])
  return answer
}

/** Enables or disables users in the other state. The caller of this function ends their sessions. */
export const setDisabled = (work: UnitOfWork, ids: number[], disabled: boolean): Statement[] => [
  work.guard(sql`(
    select count(*) from ${users}
    where ${users.id} in ${idList(ids)} and ${users.disabled} <> ${disabled}
  ) = ${ids.length}`),
  work.db
    .update(users)
    .set({
      disabled,
      ...(!disabled && { deprovisioned: false }),
      version: sql`${users.version} + 1`,
      updatedAt: nextUpdatedAt,
    })
    .where(sql`${users.id} in ${idList(ids)}`),
  auditUsers(work, "updated", ids, sql`${JSON.stringify({ disabled })}`),
]
