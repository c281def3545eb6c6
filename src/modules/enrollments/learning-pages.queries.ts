import { asc, eq, sql } from "drizzle-orm"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses } from "../../../drizzle/schema/enrollments.ts"
import { learningPathCourses, learningPathEnrollments, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { userLanguage } from "../../access/accounts.ts"
import type { Database } from "../../db/client.ts"
import { selectSettings } from "../../db/settings.ts"
import type { Caller } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { canSeeCourse } from "../courses/courses.queries.ts"
import { PATH_ENROLLMENT_JOIN } from "./learning-path-columns.ts"
import { canSeePath } from "./learning-paths.queries.ts"
import { ALLOWS_SELF_ENROLLMENT } from "./self-enrollment.queries.ts"

// The data of the pages that `courseSlug` and `launchSlug` link to.

const isCallerEnrollment = (caller: Caller) =>
  sql`${enrollments.courseId} = ${courses.id} and ${enrollments.userId} = ${caller.id}`

/**
 * Returns a course with its modules and the caller's progress in each.
 * @throws 404 if the caller may not see it
 */
export async function getCoursePage(db: Database, caller: Caller, slug: string) {
  const canSee = sql`${courses.slug} = ${slug} and (${canSeeCourse(caller)} or ${enrollments.id} is not null)`
  const [rows, contents, [academy = null]] = await db.batch([
    db
      .select({
        ...{ name: courses.name, slug: courses.slug, language: userLanguage(sql`${caller.id}`) },
        status: enrollments.status,
        percent: enrollments.percent,
        takesSelfEnrollment: sql<number>`${ALLOWS_SELF_ENROLLMENT}`.as("takes_self_enrollment"),
        asksForKey: sql<number>`(${courses.enrollmentKey} is not null)`.as("asks_for_key"),
      })
      .from(courses)
      .leftJoin(enrollments, isCallerEnrollment(caller))
      .where(canSee),
    db
      .select({ name: modules.name, type: modules.type, status: moduleStatuses.status })
      .from(courses)
      .innerJoin(courseModules, eq(courseModules.courseId, courses.id))
      .innerJoin(modules, eq(modules.id, courseModules.moduleId))
      .leftJoin(enrollments, isCallerEnrollment(caller))
      .leftJoin(
        moduleStatuses,
        sql`${moduleStatuses.enrollmentId} = ${enrollments.id} and ${moduleStatuses.moduleId} = ${modules.id}`,
      )
      .where(canSee)
      .orderBy(asc(courseModules.position)),
    selectSettings(db),
  ])
  const [course] = rows
  if (!course) throw notFound("course")
  return { course: { ...course, modules: contents }, academy }
}

/**
 * Returns a path with its courses and the caller's progress in each.
 * @throws 404 if the caller may not see it
 */
export async function getLearningPathPage(db: Database, caller: Caller, slug: string) {
  const canSee = sql`${learningPaths.slug} = ${slug} and ${canSeePath(caller)}`
  const [rows, contents, [academy = null]] = await db.batch([
    db
      .select({
        ...{ name: learningPaths.name, language: userLanguage(sql`${caller.id}`) },
        status: learningPathEnrollments.status,
        percent: learningPathEnrollments.percent,
      })
      .from(learningPaths)
      .leftJoin(
        learningPathEnrollments,
        sql`${PATH_ENROLLMENT_JOIN} and ${learningPathEnrollments.userId} = ${caller.id}`,
      )
      .where(canSee),
    db
      .select({ name: courses.name, slug: courses.slug, status: enrollments.status, percent: enrollments.percent })
      .from(learningPaths)
      .innerJoin(learningPathCourses, eq(learningPathCourses.learningPathId, learningPaths.id))
      .innerJoin(courses, eq(courses.id, learningPathCourses.courseId))
      .leftJoin(enrollments, isCallerEnrollment(caller))
      .where(canSee)
      .orderBy(asc(learningPathCourses.position)),
    selectSettings(db),
  ])
  const [path] = rows
  if (!path) throw notFound("learning path")
  return { path: { ...path, courses: contents }, academy }
}
