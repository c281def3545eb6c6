import { classEnrollments, classes, classSessions } from "../../drizzle/schema/classes.ts"
import { sortableNames } from "../../src/db/search.ts"
import { db, nextId, type UserRow, user } from "./index.ts"
import { course } from "./learning.ts"

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** A class of a course with one session, by default tomorrow for an hour, created by staff. */
export async function classOf(inCourse?: { id: number }, overrides: Partial<typeof classes.$inferInsert> = {}) {
  const id = await nextId("classes")
  const startAt = overrides.startAt ?? Date.now() + DAY
  const [row] = await db
    .insert(classes)
    .values({
      id,
      courseId: (inCourse ?? (await course())).id,
      type: "onetime",
      disabled: false,
      allowDownload: true,
      instructorId: overrides.instructorId ?? (await user({ userType: "staff" })).id,
      startAt,
      endAt: startAt + HOUR,
      sessionCount: 1,
      createdAt: Date.now(),
      ...overrides,
    })
    .returning()
  if (!row) throw new Error("No class")
  const session = { classId: id, courseId: row.courseId, startAt: row.startAt, endAt: row.endAt }
  await db.insert(classSessions).values({ id: await nextId("class_sessions"), ...session })
  return row
}

/** A user's enrollment in a class. */
export async function classEnrollment(
  of: UserRow,
  inClass: typeof classes.$inferSelect,
  overrides: Partial<typeof classEnrollments.$inferInsert> = {},
) {
  const { email } = of
  const [row] = await db
    .insert(classEnrollments)
    .values({
      id: await nextId("class_enrollments"),
      classId: inClass.id,
      userId: of.id,
      email,
      ...sortableNames(of),
      registeredAt: Date.now(),
      ...overrides,
    })
    .returning()
  if (!row) throw new Error("No class enrollment")
  return row
}
