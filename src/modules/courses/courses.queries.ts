import { asc, eq, type SQL, sql } from "drizzle-orm"
import { categories } from "../../../drizzle/schema/categories.ts"
import { certificateTemplates } from "../../../drizzle/schema/certificates.ts"
import { courseCategories, courseModules, courses } from "../../../drizzle/schema/courses.ts"
import { enrollments, tallies } from "../../../drizzle/schema/enrollments.ts"
import { groupAdmins, groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { modules } from "../../../drizzle/schema/modules.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import {
  changedFields,
  deleteRecords,
  existingRecords,
  guardUnchanged,
  hasSameIds,
  requireExisting,
  requireVersion,
  updateChanged,
} from "../../db/records.ts"
import { selectFrom } from "../../db/select.ts"
import { uniqueSlug } from "../../db/slug.ts"
import { idList, rowExists, rowList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers, userIdOf } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { decrypted, encrypt } from "../../lib/crypto/crypto.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { searchableText } from "../../lib/text/sanitize.ts"
import { existingCategories } from "./categories.queries.ts"
import { courseDetailColumns } from "./course-columns.ts"
import { courseFields } from "./course-fields.ts"
import { courseDeletion, isCourseInUse } from "./courses.background.ts"
import type { CourseChanges, CourseModule, NewCourse } from "./courses.schemas.ts"
import { courseRecount } from "./recount.background.ts"
import { totalEnrollments } from "./seats.ts"

const UNIQUE = { "courses.slug": () => invalid("slug", "slug is taken: another course has it already.") }
/** Where the slug was made from the name, and another course has that name with this id. */
const RACED = { "courses.slug": () => invalid("name", "name makes a slug that another course has; repeat the call.") }

type Named = Pick<CourseChanges, "categoryIds" | "modules" | "authorId" | "certificateTemplateId">
const modulesOf = ({ modules = [] }: Named) => modules.map((row) => row.module_id)
const authorOf = ({ authorId }: Named) => (authorId === undefined ? [] : [authorId])
const templateOf = ({ certificateTemplateId: id }: Named) => (id ? [id] : [])

/** The records that a course names and that there are. */
const named = (db: Database, input: Named) =>
  [
    existingCategories(db, "course", input.categoryIds ?? []),
    existingRecords(db, modules, modulesOf(input)),
    existingRecords(db, users, authorOf(input)),
    existingRecords(db, certificateTemplates, templateOf(input)),
  ] as const

type Ids = { id: number }[]

/** @throws 422 for the first field that names what does not exist */
function requireNamed(input: Named, [categoryRows, moduleRows, authorRows, templateRows]: [Ids, Ids, Ids, Ids]) {
  requireExisting("categoryIds", input.categoryIds ?? [], categoryRows)
  requireExisting("modules", modulesOf(input), moduleRows)
  requireExisting("authorId", authorOf(input), authorRows)
  requireExisting("certificateTemplateId", templateOf(input), templateRows)
}

/** Makes the batch answer 409 if the template has just been deleted: one that a course uses is kept. */
const templateStays = (work: UnitOfWork, input: Named) =>
  templateOf(input).map((id) => work.guard(rowExists(certificateTemplates, sql`${certificateTemplates.id} = ${id}`)))

/** A course's categories, but those that were deleted. */
const categoriesOf = (db: Database, courseId: number) =>
  db
    .select({ id: courseCategories.categoryId })
    .from(courseCategories)
    .innerJoin(categories, eq(categories.id, courseCategories.categoryId))
    .where(sql`${courseCategories.courseId} = ${courseId} and ${categories.deletedAt} is null`)
    .orderBy(asc(courseCategories.categoryId))

/** A course's modules in their order, as a call gives them. */
const modulesIn = (db: Database, courseId: number) =>
  db
    .select({
      module_id: courseModules.moduleId,
      required: courseModules.required,
      isLocked: courseModules.isLocked,
      dripDays: courseModules.dripDays,
      minTimeSpent: courseModules.minTimeSpent,
    })
    .from(courseModules)
    .where(eq(courseModules.courseId, courseId))
    .orderBy(asc(courseModules.position))

const setCategories = (db: Database, courseId: number, ids: number[]): Statement[] => [
  db.delete(courseCategories).where(eq(courseCategories.courseId, courseId)),
  insertFrom(db, courseCategories, { courseId, categoryId: sql`value` }, sql`from ${idList(ids)} where true`),
]

/** Replaces a course's modules. Where none is required, all of them count toward completion. */
function setModules(db: Database, courseId: number, rows: CourseModule[]): Statement[] {
  const all = !rows.some((row) => row.required)
  const numbered = rows.map((row, at) => ({ ...row, position: at + 1, counts: all || row.required }))
  return [
    db.delete(courseModules).where(eq(courseModules.courseId, courseId)),
    insertFrom(
      db,
      courseModules,
      {
        courseId,
        moduleId: jsonField("module_id"),
        position: jsonField("position"),
        required: jsonField("required"),
        counts: jsonField("counts"),
        isLocked: jsonField("isLocked"),
        dripDays: jsonField("dripDays"),
        minTimeSpent: jsonField("minTimeSpent"),
      },
      sql`from ${rowList(numbered)} where true`,
    ),
  ]
}

/** The stored form of an enrollment key. A key that stays the same keeps its form, so that nothing is written. */
function encryptedKey({ env }: UnitOfWork, key: string | null, stored: string | null): string | null {
  if (key === null) return null
  return stored !== null && decrypted(env, stored) === key ? stored : encrypt(env, key)
}

/** @throws 422 for a taken slug, an unknown category, module, author or certificate template */
export async function createCourse(work: UnitOfWork, input: NewCourse) {
  const { db, caller } = work
  const [given, ...known] = await work.read([work.nextIds("courses"), ...named(db, input)])
  requireNamed(input, known)
  const id = firstRow(given).last
  const { name } = input
  const row = courseFields.toInsert(input)
  const course = {
    ...row,
    id,
    slug: row.slug ?? uniqueSlug(courses, name, id, "course"),
    authorId: row.authorId ?? userIdOf(caller),
    enrollmentKey: encryptedKey(work, row.enrollmentKey, null),
  }
  return work.commit(
    [
      ...templateStays(work, input),
      db.insert(courses).values({
        ...course,
        descriptionText: searchableText(course.content),
        searchText: courseFields.searchText(course),
        createdAt: now(),
      }),
      ...(input.categoryIds ? setCategories(db, id, input.categoryIds) : []),
      ...(input.modules ? setModules(db, id, input.modules) : []),
      work.audit("created", "course", { id, name }, { ...(input.slug && { slug: input.slug }), status: course.status }),
    ],
    { id, message: "Course created." },
    { unique: input.slug ? UNIQUE : RACED },
  )
}

/**
 * The condition that a course is the caller's to know of where people or seats in it are asked about: below staff, a
 * draft only where they or their own people are registered, or a group that they administer has seats.
 */
export function canSeeCourse(caller: Caller): SQL {
  if (canSeeAllUsers(caller)) return sql`1`
  const reached = rowExists(
    tallies,
    sql`${tallies.audience} = ${`reach:${caller.id}`}
      and ${tallies.courseId} = ${courses.id}
      and ${totalEnrollments} > 0`,
  )
  const own = rowExists(
    enrollments,
    sql`${enrollments.courseId} = ${courses.id} and ${enrollments.userId} = ${caller.id}`,
  )
  const seated = rowExists(
    sql`${groupAdmins} join ${groupCourseSeats} on ${groupCourseSeats.groupId} = ${groupAdmins.groupId}`,
    sql`${groupAdmins.userId} = ${caller.id} and ${groupCourseSeats.courseId} = ${courses.id}`,
  )
  return sql`(${courses.status} = 'publish' or ${reached} or ${own} or ${seated})`
}

/** A module as its course has it. */
const MODULE_OF_COURSE = {
  moduleId: courseModules.moduleId,
  name: modules.name,
  slug: modules.slug,
  type: modules.type,
  required: courseModules.required,
  isLocked: courseModules.isLocked,
  dripDays: courseModules.dripDays,
  minTimeSpent: courseModules.minTimeSpent,
}

/** One course with its modules. @throws 404, below staff for a draft too */
export async function getCourse({ db, caller, env }: UnitOfWork, id: number) {
  const [rows, moduleRows, categoryRows] = await db.batch([
    selectFrom<typeof courseDetailColumns.fields, { version: number; sealedKey: string | null }>(
      db,
      courseDetailColumns.fields,
      sql`, ${courses.version} as version, ${courses.enrollmentKey} as sealedKey
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
    categoriesOf(db, id),
  ])
  const [course] = rows
  if (!course) throw notFound("course")
  const { sealedKey } = course
  return {
    ...course,
    enrollmentKeyRequired: sealedKey !== null,
    enrollmentKey: sealedKey !== null && canSeeAllUsers(caller) ? (decrypted(env, sealedKey) ?? null) : null,
    modules: moduleRows,
    categoryIds: categoryRows.map((row) => row.id),
  }
}

const sameRows = (given: readonly CourseModule[] | undefined, held: readonly CourseModule[]) =>
  given === undefined || JSON.stringify(given) === JSON.stringify(held)

/**
 * Changes the given fields and leaves the others; what is so already is not written.
 * @throws 404, 412, 422 as in create
 */
export async function updateCourse(work: UnitOfWork, id: number, changes: CourseChanges, demanded?: number) {
  const { db } = work
  const plan = planBackgroundWork(work, courseRecount, { courseId: id })
  const [planned, rows, heldCategories, heldModules, ...known] = await work.read([
    plan.question,
    db.select().from(courses).where(eq(courses.id, id)),
    categoriesOf(db, id),
    modulesIn(db, id),
    ...named(db, changes),
  ])
  const course = requireVersion(rows, "course", demanded)
  requireNamed(changes, known)
  const next = {
    ...courseFields.toUpdate(course, changes),
    ...(changes.enrollmentKey !== undefined && {
      enrollmentKey: encryptedKey(work, changes.enrollmentKey, course.enrollmentKey),
    }),
  }
  const changed = changedFields(course, next)
  const categoryIds = hasSameIds(changes.categoryIds, heldCategories) ? undefined : changes.categoryIds
  const moduleRows = sameRows(changes.modules, heldModules) ? undefined : changes.modules
  if (Object.keys(changed).length === 0 && !categoryIds && !moduleRows)
    return work.commit([], { message: "Course updated." })
  const recounted = moduleRows && plan.decide(planned)
  const answer = { message: "Course updated.", ...recounted?.job }
  await work.commit(
    [
      guardUnchanged(work, courses, course),
      ...templateStays(work, changes),
      updateChanged(db, courses, course, {
        ...changed,
        ...("content" in changed && { descriptionText: searchableText(next.content) }),
        ...courseFields.changedSearchText(changed, next),
      }),
      ...(categoryIds ? setCategories(db, id, categoryIds) : []),
      ...(moduleRows ? setModules(db, id, moduleRows) : []),
      ...(recounted?.statements ?? []),
      work.audit(
        "updated",
        "course",
        { id, name: next.name },
        {
          ...changed,
          ...("enrollmentKey" in changed && { enrollmentKey: next.enrollmentKey === null ? "removed" : "set" }),
          ...(categoryIds && { categoryIds }),
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

/** Deletes courses; one with enrollments or classes, or in a learning path, is kept. */
export const deleteCourses = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: courses,
    subject: "course",
    name: courses.name,
    ids,
    undeletable: {
      when: isCourseInUse(),
      because: "users are enrolled in them, they are part of a learning path, or classes of them are held",
    },
    cascade: courseDeletion,
  })
