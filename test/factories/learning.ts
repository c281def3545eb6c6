import { env } from "cloudflare:workers"
import { eq, type SQL, sql } from "drizzle-orm"
import { courseModules, courses } from "../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses } from "../../drizzle/schema/enrollments.ts"
import { modules } from "../../drizzle/schema/modules.ts"
import { openDatabase } from "../../src/db/client.ts"
import { searchText } from "../../src/db/search.ts"
import type { Statement } from "../../src/db/statements.ts"
import { UnitOfWork } from "../../src/db/unit-of-work.ts"
import { callerAs } from "../../src/lib/caller.ts"
import { onEnrolled, onModulesRecorded } from "../../src/modules/progress/course-progress.ts"
import { db, nextId, type UserRow } from "./index.ts"

type Link = Partial<typeof courseModules.$inferInsert>

/** A module, a text unless told. */
export async function module(given: Partial<typeof modules.$inferInsert> = {}) {
  const id = given.id ?? (await nextId("modules"))
  const name = given.name ?? `Module ${id}`
  const [row] = await db
    .insert(modules)
    .values({
      id,
      type: "text",
      name,
      slug: `module-${id}`,
      content: "<p>Read this.</p>",
      icon: "text",
      searchText: searchText(name),
      createdAt: Date.now(),
      ...given,
    })
    .returning()
  if (!row) throw new Error("No module")
  return row
}

/** A published course; `links` are its modules, required unless told. */
export async function course(given: Partial<typeof courses.$inferInsert> = {}, links: Link[] = []) {
  const id = given.id ?? (await nextId("courses"))
  const name = given.name ?? `Course ${id}`
  const [row] = await db
    .insert(courses)
    .values({
      id,
      name,
      slug: `course-${id}`,
      status: "publish",
      content: "",
      instructions: "",
      searchText: searchText(name),
      createdAt: Date.now(),
      ...given,
    })
    .returning()
  if (!row) throw new Error("No course")
  for (const [at, link] of links.entries()) {
    const required = link.required ?? true
    await db.insert(courseModules).values({
      courseId: id,
      moduleId: link.moduleId ?? (await module()).id,
      position: at + 1,
      required,
      counts: required,
      isLocked: false,
      dripDays: 0,
      minTimeSpent: 0,
      ...link,
    })
  }
  return row
}

const work = () => new UnitOfWork(openDatabase(env.DB, "first-primary"), callerAs(null, "owner", "factory"), env)

async function run(statements: Statement[]) {
  const [first, ...rest] = statements
  if (first) await work().db.batch([first, ...rest])
}

/** What follows from enrollments that SQL inserted. @param which a condition on them */
export const applyEnrollmentEffects = (which: SQL) => run(onEnrolled(work(), which, { started: true, completed: true }))

/** What follows from module statuses that SQL inserted. @param which a condition on their enrollments */
export const applyModuleEffects = (which: SQL) => run(onModulesRecorded(work(), which))

/** A registration of a user in a course, with what follows from it. */
export async function enrollment(
  user: UserRow,
  inCourse: { id: number },
  given: Partial<typeof enrollments.$inferInsert> = {},
) {
  const { firstNameKey, lastNameKey } = user
  const [row] = await db
    .insert(enrollments)
    .values({
      id: await nextId("enrollments"),
      userId: user.id,
      courseId: inCourse.id,
      registeredAt: Date.now(),
      firstNameKey,
      lastNameKey,
      ...given,
    })
    .returning()
  if (!row) throw new Error("No enrollment")
  await applyEnrollmentEffects(eq(enrollments.id, row.id))
  const [enrolled] = await db.select().from(enrollments).where(eq(enrollments.id, row.id))
  return enrolled ?? row
}

/** Where a registration stands in a module, with what follows from it. */
export async function moduleStatus(
  enrollmentId: number,
  moduleId: number,
  given: Partial<typeof moduleStatuses.$inferInsert> = {},
) {
  const [row] = await db
    .insert(moduleStatuses)
    .values({
      enrollmentId,
      moduleId,
      status: "In Progress",
      lastAccessedAt: Date.now(),
      ...given,
    })
    .returning()
  if (!row) throw new Error("No module status")
  await applyModuleEffects(eq(enrollments.id, enrollmentId))
  return row
}

/**
 * Lets another call come first: `updateRecord` happens between what a mutation reads and what it writes.
 * @returns the headers of that mutation
 */
export async function changeMeanwhile(change: SQL) {
  await db.run(sql`create trigger rival after insert on idempotency_keys begin ${change}; end`)
  return { headers: { "idempotency-key": "overtaken" } }
}
