import { eq, type SQL, sql } from "drizzle-orm"
import { courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { enrollmentCounts, enrollments } from "../../../drizzle/schema/enrollments.ts"
import { groupAdmins, groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { firstRow } from "../../db/client.ts"
import {
  changeExternalId,
  externalIdsBySource,
  selectExternalIds,
  toExternalIds,
  UNIQUE_EXTERNAL_ID,
} from "../../db/external-ids.ts"
import {
  changedFields,
  deleteRecords,
  guardUnchanged,
  hasSameIds,
  requireVersion,
  updateChanged,
} from "../../db/records.ts"
import { selectFrom } from "../../db/select.ts"
import { uniqueSlug } from "../../db/slug.ts"
import { rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers, userIdOf } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { decrypted, encrypt } from "../../lib/crypto/crypto.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { isoTimeOrNull } from "../../lib/text/dates.ts"
import { searchableText } from "../../lib/text/sanitize.ts"
import { courseDetailColumns } from "./course-columns.ts"
import { courseFields } from "./course-fields.ts"
import {
  guardTemplateExists,
  requireReferences,
  selectCourseCategories,
  selectCourseModules,
  selectReferences,
  setCategories,
  setModules,
} from "./course-references.ts"
import { courseDeletion, isCourseInUse } from "./courses.background.ts"
import type { CourseChanges, CourseModule, NewCourse } from "./courses.schemas.ts"
import { selectCyclic, selectPrerequisites, setPrerequisites } from "./prerequisites.ts"
import { courseRecount } from "./recount.background.ts"
import { totalEnrollments } from "./seats.ts"

const UNIQUE = {
  "courses.slug": () => invalid("slug", "slug is already used by another course."),
  ...UNIQUE_EXTERNAL_ID,
}
/** The generated slug collides with the name of another course. */
const UNIQUE_GENERATED_SLUG = {
  ...UNIQUE_EXTERNAL_ID,
  "courses.slug": () =>
    invalid("name", "another course already uses the URL slug generated from this name. Try again."),
}

/** Encrypts an enrollment key. An unchanged key keeps its stored value, so that nothing is written. */
function encryptedKey({ env }: UnitOfWork, key: string | null, stored: string | null): string | null {
  if (key === null) return null
  return stored !== null && decrypted(env, stored) === key ? stored : encrypt(env, key)
}

/** @throws 422 for a slug in use, or an unknown category, module, author or certificate template */
export async function createCourse(work: UnitOfWork, input: NewCourse) {
  const { db, caller } = work
  const [idRows, ...referenceRows] = await work.read([work.nextIds("courses"), ...selectReferences(db, input)])
  requireReferences(input, referenceRows)
  const id = firstRow(idRows).last
  const { name } = input
  const row = courseFields.toInsert(input)
  const course = {
    ...row,
    id,
    slug: row.slug ?? uniqueSlug(courses, name, id, "course"),
    authorId: row.authorId ?? userIdOf(caller),
    enrollmentKey: encryptedKey(work, row.enrollmentKey, null),
  }
  const external = changeExternalId(db, { object: "course", id, caller }, input)
  return work.commit(
    [
      ...guardTemplateExists(work, input),
      db.insert(courses).values({
        ...course,
        descriptionText: searchableText(course.content),
        searchText: courseFields.searchText(course),
        createdAt: now(),
      }),
      ...(input.categoryIds ? setCategories(db, id, input.categoryIds) : []),
      ...(input.modules ? setModules(db, id, input.modules) : []),
      ...(input.prerequisites ? setPrerequisites(work, id, input.prerequisites) : []),
      ...external.statements,
      work.audit(
        "created",
        "course",
        { id, name },
        { ...(input.slug && { slug: input.slug }), status: course.status, ...external.details },
      ),
    ],
    { id, message: "Course created." },
    { unique: input.slug ? UNIQUE : UNIQUE_GENERATED_SLUG },
  )
}

/**
 * The condition that the caller may see a course. Staff see all courses; others see published courses, and drafts in
 * which they or learners they supervise are enrolled, or a group that they administer has seats.
 */
export function canSeeCourse(caller: Caller): SQL {
  if (canSeeAllUsers(caller)) return sql`1`
  const hasSupervisedLearners = rowExists(
    enrollmentCounts,
    sql`${enrollmentCounts.audience} = ${`supervisor:${caller.id}`}
      and ${enrollmentCounts.courseId} = ${courses.id}
      and ${totalEnrollments} > 0`,
  )
  const isEnrolled = rowExists(
    enrollments,
    sql`${enrollments.courseId} = ${courses.id} and ${enrollments.userId} = ${caller.id}`,
  )
  const hasGroupSeats = rowExists(
    sql`${groupAdmins} join ${groupCourseSeats} on ${groupCourseSeats.groupId} = ${groupAdmins.groupId}`,
    sql`${groupAdmins.userId} = ${caller.id} and ${groupCourseSeats.courseId} = ${courses.id}`,
  )
  return sql`(${courses.status} = 'publish' or ${hasSupervisedLearners} or ${isEnrolled} or ${hasGroupSeats})`
}

const MODULE_OF_COURSE = {
  moduleId: courseModules.moduleId,
  name: modules.name,
  slug: modules.slug,
  type: modules.type,
  required: courseModules.required,
  isLocked: courseModules.isLocked,
  dripDays: courseModules.dripDays,
  minTimeSpent: courseModules.minTimeSpent,
  opensAt: courseModules.opensAt,
}

interface CourseExtras {
  version: number
  encryptedEnrollmentKey: string | null
  externalIdsJson: string
}

/**
 * Returns a course with its modules. Only staff see drafts.
 * @param id the id, or an expression of it
 * @throws 404
 */
export async function getCourse({ db, caller, env }: UnitOfWork, id: number | SQL) {
  const [rows, moduleRows, categoryRows, prerequisiteRows] = await db.batch([
    selectFrom<typeof courseDetailColumns.fields, CourseExtras>(
      db,
      courseDetailColumns.fields,
      sql`, ${courses.version} as version, ${courses.enrollmentKey} as encryptedEnrollmentKey,
          ${externalIdsBySource("course", courses.id)} as externalIdsJson
        from ${courses}
        where ${courses.id} = ${id} and (${courses.status} = 'publish' or ${canSeeAllUsers(caller)})`,
    ),
    selectFrom(
      db,
      MODULE_OF_COURSE,
      sql`
        from ${courseModules}
        join ${modules} on ${modules.id} = ${courseModules.moduleId}
        where ${courseModules.courseId} = ${id}
        order by ${courseModules.position}`,
    ),
    selectCourseCategories(db, id),
    selectPrerequisites(db, id),
  ])
  const [course] = rows
  if (!course) throw notFound("course")
  const { encryptedEnrollmentKey, externalIdsJson } = course
  return {
    ...course,
    ...toExternalIds(caller, externalIdsJson),
    enrollmentKeyRequired: encryptedEnrollmentKey !== null,
    enrollmentKey:
      encryptedEnrollmentKey !== null && canSeeAllUsers(caller)
        ? (decrypted(env, encryptedEnrollmentKey) ?? null)
        : null,
    modules: moduleRows.map((row) => ({ ...row, opensAt: isoTimeOrNull(row.opensAt) })),
    categoryIds: categoryRows.map((row) => row.id),
    prerequisites: prerequisiteRows.map((row) => row.id),
  }
}

const hasSameModules = (idRows: readonly CourseModule[] | undefined, current: readonly CourseModule[]) =>
  idRows === undefined || JSON.stringify(idRows) === JSON.stringify(current)

/**
 * Changes only the given fields. Unchanged values are not written.
 * @throws 404, 412, 422
 */
export async function updateCourse(work: UnitOfWork, id: number, changes: CourseChanges, expectedVersion?: number) {
  const { db, caller } = work
  const plan = planBackgroundWork(work, courseRecount, { courseId: id })
  const [planned, rows, currentCategories, currentModules, currentIds, currentPrerequisites, cyclic, ...referenceRows] =
    await work.read([
      plan.question,
      db.select().from(courses).where(eq(courses.id, id)),
      selectCourseCategories(db, id),
      selectCourseModules(db, id),
      selectExternalIds(db, "course", id),
      selectPrerequisites(db, id),
      selectCyclic(db, id, changes.prerequisites ?? []),
      ...selectReferences(db, changes),
    ])
  const course = requireVersion(rows, "course", expectedVersion)
  requireReferences(changes, referenceRows)
  if (firstRow(cyclic).isCyclic)
    throw invalid("prerequisites", "prerequisites must not require this course, directly or through other courses.")
  const next = {
    ...courseFields.toUpdate(course, changes),
    ...(changes.enrollmentKey !== undefined && {
      enrollmentKey: encryptedKey(work, changes.enrollmentKey, course.enrollmentKey),
    }),
  }
  const changed = changedFields(course, next)
  const categoryIds = hasSameIds(changes.categoryIds, currentCategories) ? undefined : changes.categoryIds
  const moduleRows = hasSameModules(changes.modules, currentModules) ? undefined : changes.modules
  const prerequisites = hasSameIds(changes.prerequisites, currentPrerequisites) ? undefined : changes.prerequisites
  const external = changeExternalId(db, { object: "course", id, caller }, changes, currentIds)
  if (Object.keys(changed).length === 0 && !categoryIds && !moduleRows && !prerequisites && !external.changes)
    return work.commit([], { message: "Course updated." })
  const recounted = moduleRows && plan.decide(planned)
  const answer = { message: "Course updated.", ...recounted?.job }
  await work.commit(
    [
      guardUnchanged(courses, course),
      ...guardTemplateExists(work, changes),
      updateChanged(db, courses, course, {
        ...changed,
        ...("content" in changed && { descriptionText: searchableText(next.content) }),
        ...courseFields.changedSearchText(changed, next),
      }),
      ...(categoryIds ? setCategories(db, id, categoryIds) : []),
      ...(moduleRows ? setModules(db, id, moduleRows) : []),
      ...(prerequisites ? setPrerequisites(work, id, prerequisites) : []),
      ...external.statements,
      ...(recounted?.statements ?? []),
      work.audit(
        "updated",
        "course",
        { id, name: next.name },
        {
          ...changed,
          ...("enrollmentKey" in changed && { enrollmentKey: next.enrollmentKey === null ? "removed" : "set" }),
          ...external.details,
          ...(categoryIds && { categoryIds }),
          ...(prerequisites && { prerequisites }),
          ...(moduleRows && { modules: moduleRows.map((row) => row.module_id) }),
        },
      ),
    ],
    answer,
    { unique: UNIQUE },
  )
  await recounted?.start()
  return answer
}

/** Deletes courses. Courses with enrollments or classes, or in a learning path, are not deleted. */
export const deleteCourses = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: courses,
    subject: "course",
    name: courses.name,
    ids,
    undeletable: {
      when: isCourseInUse(),
      because: "they have enrollments or classes, or are part of a learning path",
    },
    cascade: courseDeletion,
  })
