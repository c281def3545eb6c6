import { and, eq, type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/courses.ts"
import { enrolments } from "../../../drizzle/enrolments.ts"
import { modules } from "../../../drizzle/modules.ts"
import { portalMembers, portals } from "../../../drizzle/portals.ts"
import { users } from "../../../drizzle/users.ts"
import { type Caller, mayChange, rank } from "../../gate/access.ts"
import { endSessions } from "../../gate/clients.ts"
import { mayKnow } from "../../gate/scope.ts"
import { idList } from "../../lib/sql.ts"
import { counted, fullName } from "../../lib/words.ts"
import type { AuditAction, UnitOfWork } from "../../lib/work.ts"
import { planEnrolment } from "../enrolments/enrolments.queries.ts"
import type { QuickEdit, UserDeletion } from "./users.schemas.ts"

// What is done to many users in one call.

interface Target {
  id: number
  firstName: string
  lastName: string
  userType: string
}

/** The users of `ids` that the caller may see. */
const targets = (work: UnitOfWork, ids: number[]) =>
  work.db
    .select({
      id: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      userType: users.userType,
      disabled: users.disabled,
    })
    .from(users)
    .where(and(sql`${users.id} in ${idList(ids)}`, mayKnow(work.caller, users.id)))
    .orderBy(users.id)

const auditUsers = (work: UnitOfWork, action: AuditAction, ids: number[], details: SQL) =>
  work.auditMany(
    action,
    "user",
    sql`select id, trim(first_name || ' ' || last_name) as name, ${details} as details from ${users} where id in ${idList(ids)}`,
  )

/**
 * Disables or enables users, and enrols them in courses. Those whom the caller may not change, and its own account, are
 * left and counted; unknown courses are skipped.
 * @throws 409 when a course has too few seats left
 */
export async function quickEdit(work: UnitOfWork, { user_ids, disabled, course_ids = [] }: QuickEdit) {
  const { db, caller } = work
  const changeableTypes = sql`${users.id} is not ${caller.id} and ${mayChangeType(caller)}`
  const plan = planEnrolment(work, {
    userIds: course_ids.length > 0 ? user_ids : [],
    courseIds: course_ids,
    among: { users: sql`${mayKnow(caller, users.id)} and ${changeableTypes}` },
  })
  const [found, ...read] = await work.read([targets(work, user_ids), ...plan.reads])
  const { statements: enrolling, enrolled } = plan.settle(...read)
  const allowed = found.filter((user) => user.id !== caller.id && mayChange(caller, user.userType))
  const changing = allowed.filter((user) => user.disabled !== disabled)
  const ids = changing.map((user) => user.id)
  const sessions = endSessions(work, disabled ? ids : [])
  const skipped = user_ids.length - allowed.length
  const verb = disabled ? "disabled" : "enabled"
  const already = allowed.length - changing.length
  const answer = {
    message: [
      `${counted(ids.length, "user")} ${verb}.`,
      ...(already > 0 ? [`${already} ${already === 1 ? "was" : "were"} ${verb} already.`] : []),
      ...(skipped > 0 ? [`${skipped} skipped: unknown, or not yours to change.`] : []),
      ...(course_ids.length > 0 ? [`${counted(enrolled, "enrolment")} made.`] : []),
    ].join(" "),
  }
  const disabling = [
    work.guard(
      sql`(select count(*) from ${users} where ${users.id} in ${idList(ids)} and ${users.disabled} <> ${disabled}) = ${ids.length}`,
    ),
    db
      .update(users)
      .set({ disabled, version: sql`${users.version} + 1` })
      .where(sql`${users.id} in ${idList(ids)}`),
    ...sessions.statements,
    auditUsers(work, "updated", ids, sql`${JSON.stringify({ disabled })}`),
  ]
  await work.commit([...(ids.length > 0 ? disabling : []), ...enrolling], answer)
  await sessions.tell()
  return answer
}

/** `mayChange` as a condition on users. */
function mayChangeType(caller: Caller): SQL {
  if (rank(caller.userType) === rank("owner")) return sql`1`
  const above = rank(caller.userType) === rank("staff") ? ["staff", "admin", "owner"] : ["owner"]
  return sql`${users.userType} not in (select value from json_each(${JSON.stringify(above)}))`
}

type Named = { id: number; name: string }

/** Rows of (user, record) as the answer gives them: by the user's name, an array of records. */
function byUserName(rows: { userId: number; id: number; name: string }[], found: Target[]): Record<string, Named[]> {
  const used: Record<string, Named[]> = {}
  for (const { userId, id, name } of rows) {
    const user = found.find((candidate) => candidate.id === userId)
    if (user) used[fullName(user)] = [...(used[fullName(user)] ?? []), { id, name }]
  }
  return used
}

/**
 * Deletes users. Kept are those with enrolments or access to a portal, authors, the caller's own account, and those whom
 * the caller may not delete; unknown ids are counted as not deleted. The answer's lists and counts are of what the batch did.
 */
export async function deleteUsers(work: UnitOfWork, { delete_ids }: UserDeletion) {
  const { db, caller } = work
  const these = idList(delete_ids)
  const [found, inCourses, courseAuthors, moduleAuthors, inPortals] = await work.read([
    targets(work, delete_ids),
    db
      .select({ userId: enrolments.userId, id: courses.id, name: courses.name })
      .from(enrolments)
      .innerJoin(courses, eq(courses.id, enrolments.courseId))
      .where(sql`${enrolments.userId} in ${these}`)
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
      .select({ userId: portalMembers.userId, id: portals.id, name: portals.name })
      .from(portalMembers)
      .innerJoin(portals, eq(portals.id, portalMembers.portalId))
      .where(sql`${portalMembers.userId} in ${idList(delete_ids)}`)
      .orderBy(portals.name),
  ])
  const uses = [inCourses, courseAuthors, moduleAuthors, inPortals]
  const kept = new Set([
    ...uses.flatMap((rows) => rows.map((row) => row.userId)),
    ...found.filter((user) => user.id === caller.id || !mayChange(caller, user.userType)).map((user) => user.id),
  ])
  const deleted = found.filter((user) => !kept.has(user.id))
  const ids = deleted.map((user) => user.id)
  const toNamed = (user: Target): Named => ({ id: user.id, name: fullName(user) })
  const unknown = delete_ids.length - found.length
  const answer = {
    message: [
      `${counted(ids.length, "user")} deleted.`,
      ...(kept.size > 0 ? [`${counted(kept.size, "user")} not deleted.`] : []),
      ...(unknown > 0 ? [`${counted(unknown, "id")} unknown.`] : []),
    ].join(" "),
    deletedStudents: deleted.map(toNamed),
    notDeletedStudents: found.filter((user) => kept.has(user.id)).map(toNamed),
    usedInCourses: byUserName(inCourses, found),
    usedAsCourseAuthors: byUserName(courseAuthors, found),
    usedAsModuleAuthors: byUserName(moduleAuthors, found),
    usedInPortals: byUserName(inPortals, found),
  }
  if (ids.length === 0) return work.commit([], answer)
  const sessions = endSessions(work, ids)
  await work.commit(
    [
      work.guard(sql`(select count(*) from ${users} where ${users.id} in ${idList(ids)}) = ${ids.length}`),
      work.guard(
        sql`not exists (select 1 from ${portalMembers} where ${portalMembers.userId} in ${idList(ids)}) and not exists (select 1 from ${enrolments} where ${enrolments.userId} in ${idList(ids)}) and not exists (select 1 from ${courses} where ${courses.authorId} in ${idList(ids)}) and not exists (select 1 from ${modules} where ${modules.authorId} in ${idList(ids)})`,
      ),
      auditUsers(work, "deleted", ids, sql`json_object('email', email)`),
      db.delete(users).where(sql`${users.id} in ${idList(ids)}`),
      ...sessions.statements,
    ],
    answer,
  )
  await sessions.tell()
  return answer
}
