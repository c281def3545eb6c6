import { learningPathCourses, learningPathEnrollments, learningPaths } from "../../drizzle/schema/learning-paths.ts"
import { searchText } from "../../src/db/search.ts"
import { db, nextId, type UserRow } from "./index.ts"

/** A public path of these courses. */
export async function learningPath(
  given: Partial<typeof learningPaths.$inferInsert> = {},
  courses: { id: number }[] = [],
) {
  const id = given.id ?? (await nextId("learning_paths"))
  const name = given.name ?? `Path ${id}`
  const [row] = await db
    .insert(learningPaths)
    .values({
      id,
      name,
      slug: `path-${id}`,
      type: "public",
      searchText: searchText(name),
      createdAt: Date.now(),
      ...given,
    })
    .returning()
  if (!row) throw new Error("No learning path")
  for (const [at, course] of courses.entries())
    await db.insert(learningPathCourses).values({ learningPathId: id, courseId: course.id, position: at + 1 })
  return row
}

/** A registration of a user in a path, as it stands: nothing is taken over from the courses. */
export async function pathEnrollment(
  user: Pick<UserRow, "id">,
  path: { id: number },
  given: Partial<typeof learningPathEnrollments.$inferInsert> = {},
) {
  const [row] = await db
    .insert(learningPathEnrollments)
    .values({
      id: await nextId("learning_path_enrollments"),
      userId: user.id,
      learningPathId: path.id,
      status: "Not Started",
      percent: 0,
      completedCourses: 0,
      certificateCount: 0,
      registeredAt: Date.now(),
      startedAt: 0,
      completedAt: 0,
      ...given,
    })
    .returning()
  if (!row) throw new Error("No path enrollment")
  return row
}
