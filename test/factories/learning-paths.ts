import { learningPathCourses, learningPathEnrollments, learningPaths } from "../../drizzle/schema/learning-paths.ts"
import { searchText } from "../../src/db/search.ts"
import { db, nextId, type UserRow } from "./index.ts"

/** Creates a public path of these courses. */
export async function learningPath(
  values: Partial<typeof learningPaths.$inferInsert> = {},
  courses: { id: number }[] = [],
) {
  const id = values.id ?? (await nextId("learning_paths"))
  const name = values.name ?? `Path ${id}`
  const [row] = await db
    .insert(learningPaths)
    .values({
      id,
      name,
      slug: `path-${id}`,
      type: "public",
      searchText: searchText(name),
      createdAt: Date.now(),
      ...values,
    })
    .returning()
  if (!row) throw new Error("No learning path")
  for (const [index, course] of courses.entries())
    await db.insert(learningPathCourses).values({ learningPathId: id, courseId: course.id, position: index + 1 })
  return row
}

/** Creates a path enrollment as given, without progress from the courses. */
export async function pathEnrollment(
  user: Pick<UserRow, "id">,
  path: { id: number },
  values: Partial<typeof learningPathEnrollments.$inferInsert> = {},
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
      ...values,
    })
    .returning()
  if (!row) throw new Error("No path enrollment")
  return row
}
