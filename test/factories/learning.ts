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

/** Creates a module; a text module by default. */
export async function module(values: Partial<typeof modules.$inferInsert> = {}) {
  const id = values.id ?? (await nextId("modules"))
  const name = values.name ?? `Module ${id}`
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
      ...values,
    })
    .returning()
  if (!row) throw new Error("No module")
  return row
}

/** Creates a published course; `links` are its modules, required by default. */
export async function course(values: Partial<typeof courses.$inferInsert> = {}, links: Link[] = []) {
  const id = values.id ?? (await nextId("courses"))
  const name = values.name ?? `Course ${id}`
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
      ...values,
    })
    .returning()
  if (!row) throw new Error("No course")
  for (const [index, link] of links.entries()) {
    const required = link.required ?? true
    await db.insert(courseModules).values({
      courseId: id,
      moduleId: link.moduleId ?? (await module()).id,
      position: index + 1,
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

const createWork = () => new UnitOfWork(openDatabase(env.DB, "first-primary"), callerAs(null, "owner", "factory"), env)

async function run(statements: Statement[]) {
  const [first, ...rest] = statements
  if (first) await createWork().db.batch([first, ...rest])
}

/** Applies the consequences of enrollments inserted with SQL. @param which a condition on them */
export const applyEnrollmentEffects = (condition: SQL) =>
  run(onEnrolled(createWork(), condition, { started: true, completed: true }))

/** Applies the consequences of module statuses inserted with SQL. @param which a condition on their enrollments */
export const applyModuleEffects = (condition: SQL) => run(onModulesRecorded(createWork(), condition))

/** Enrolls a user in a course, with the consequences. */
export async function enrollment(
  user: UserRow,
  inCourse: { id: number },
  values: Partial<typeof enrollments.$inferInsert> = {},
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
      ...values,
    })
    .returning()
  if (!row) throw new Error("No enrollment")
  await applyEnrollmentEffects(eq(enrollments.id, row.id))
  const [enrolled] = await db.select().from(enrollments).where(eq(enrollments.id, row.id))
  return enrolled ?? row
}

/** Creates a module status, with the consequences. */
export async function moduleStatus(
  enrollmentId: number,
  moduleId: number,
  values: Partial<typeof moduleStatuses.$inferInsert> = {},
) {
  const [row] = await db
    .insert(moduleStatuses)
    .values({
      enrollmentId,
      moduleId,
      status: "In Progress",
      lastAccessedAt: Date.now(),
      ...values,
    })
    .returning()
  if (!row) throw new Error("No module status")
  await applyModuleEffects(eq(enrollments.id, enrollmentId))
  return row
}

/**
 * Simulates a concurrent request: `change` runs between the reads and the writes of a mutation.
 * @returns the options for that mutation
 */
export async function changeMeanwhile(change: SQL) {
  await db.run(sql`create trigger rival after insert on idempotency_keys begin ${change}; end`)
  return { headers: { "idempotency-key": "concurrent" } }
}
