import { env } from "cloudflare:workers"
import { eq, type SQL } from "drizzle-orm"
import { assignmentClaims, assignmentRules } from "../../drizzle/schema/assignment-rules.ts"
import { enrollments } from "../../drizzle/schema/enrollments.ts"
import { openDatabase } from "../../src/db/client.ts"
import { searchText } from "../../src/db/search.ts"
import { UnitOfWork } from "../../src/db/unit-of-work.ts"
import { callerAs } from "../../src/lib/caller.ts"
import { applyClaims } from "../../src/modules/progress/set-due-dates.ts"
import { db, nextId } from "./index.ts"

/** A rule that assigns everyone, with reminders 7 days and 1 day before, on the day, and weekly when overdue. */
export async function assignmentRule(values: Partial<typeof assignmentRules.$inferInsert> = {}) {
  const id = await nextId("assignment_rules")
  const [row] = await db
    .insert(assignmentRules)
    .values({
      id,
      name: `Rule ${id}`,
      active: true,
      audience: { everyone: true },
      due: { type: "none" },
      reminders: { daysBefore: [7, 1, 0], overdueEveryDays: 7, copySupervisors: false },
      onLeave: "keep",
      searchText: searchText(`Rule ${id}`),
      createdAt: Date.now(),
      ...values,
    })
    .returning()
  if (!row) throw new Error("No rule")
  return row
}

const createWork = () => new UnitOfWork(openDatabase(env.DB, "first-primary"), callerAs(null, "owner", "factory"), env)

/** Sets the due dates of enrollments from their claims. @returns the rows written */
export async function claimsApplied(which: SQL, options?: Parameters<typeof applyClaims>[2]) {
  const work = createWork()
  const [first, ...rest] = applyClaims(work, which, options)
  if (first) await work.db.batch([first, ...rest])
}

type Enrolled = Pick<typeof enrollments.$inferSelect, "id" | "userId" | "courseId">

/** Makes a rule require the course of an enrollment until a time, and applies it. */
export async function claim(enrolled: Enrolled, rule: { id: number }, dueAt: number) {
  const { userId, courseId } = enrolled
  await db
    .insert(assignmentClaims)
    .values({ userId, courseId, ruleId: rule.id, dueAt, enrolled: true })
    .onConflictDoUpdate({
      target: [assignmentClaims.userId, assignmentClaims.courseId, assignmentClaims.ruleId],
      set: { dueAt },
    })
  await claimsApplied(eq(enrollments.id, enrolled.id))
}

/** The due columns of an enrollment. */
export async function dueState(id: number) {
  const { dueAt, dueSoonAt, overdueAt, dueStatus, dueRuleId, dueCheckAt, cycle } = enrollments
  const [row] = await db
    .select({ dueAt, dueSoonAt, overdueAt, dueStatus, dueRuleId, dueCheckAt, cycle })
    .from(enrollments)
    .where(eq(enrollments.id, id))
  if (!row) throw new Error("No enrollment")
  return row
}
