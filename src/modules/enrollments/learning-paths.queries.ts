import { asc, eq, type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { learningPathCourses, learningPathEnrollments, learningPaths } from "../../../drizzle/schema/learning-paths.ts"
import { planBackgroundWork } from "../../db/background-work.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import {
  changedFields,
  deleteRecords,
  existingRecords,
  guardUnchanged,
  requireExisting,
  requireVersion,
  updateChanged,
} from "../../db/records.ts"
import { searchFilter } from "../../db/search.ts"
import { uniqueSlug } from "../../db/slug.ts"
import { counter, idList, rowExists, rowList, subquery } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canSeeAllUsers } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { PATH_ENROLLMENT_JOIN, pathColumns } from "./learning-path-columns.ts"
import { pathFields } from "./learning-path-fields.ts"
import { pathRecount } from "./learning-paths.background.ts"
import type { NewPath, PathChanges } from "./learning-paths.schemas.ts"

const UNIQUE = {
  "learning_paths.slug": () =>
    invalid("name", "another learning path already uses the URL slug generated from this name. Try again."),
}

const addCourses = (db: Database, pathId: number, ids: number[]) =>
  insertFrom(
    db,
    learningPathCourses,
    { learningPathId: pathId, courseId: sql`value`, position: sql`key + 1` },
    sql`from ${rowList(ids)} where true`,
  )

/** Replaces a path's courses; for those that remain, only the position is updated. */
const setCourses = (db: Database, pathId: number, ids: number[]): Statement[] => [
  db
    .delete(learningPathCourses)
    .where(
      sql`${learningPathCourses.learningPathId} = ${pathId} and ${learningPathCourses.courseId} not in ${idList(ids)}`,
    ),
  addCourses(db, pathId, ids).onConflictDoUpdate({
    target: [learningPathCourses.learningPathId, learningPathCourses.courseId],
    set: { position: sql`excluded.position` },
  }),
]

/** @throws 422 for a course that does not exist */
export async function createPath(work: UnitOfWork, input: NewPath) {
  const { db } = work
  const [idRows, courseRows] = await work.read([
    work.nextIds("learning_paths"),
    existingRecords(db, courses, input.course_ids),
  ])
  requireExisting("course_ids", input.course_ids, courseRows)
  const id = firstRow(idRows).last
  const { course_ids: courseIds } = input
  const row = pathFields.toInsert(input)
  const { name, type } = row
  return work.commit(
    [
      db.insert(learningPaths).values({
        ...row,
        id,
        slug: uniqueSlug(learningPaths, name, id, "path"),
        searchText: pathFields.searchText(row),
        createdAt: now(),
      }),
      addCourses(db, id, courseIds),
      work.audit("created", "learning path", { id, name }, { type, course_ids: courseIds }),
    ],
    { id, message: "Learning path created." },
    { unique: UNIQUE },
  )
}

/** The condition that the caller may see the path: staff all, others public paths and those they are enrolled in. */
export const canSeePath = (caller: Caller): SQL =>
  canSeeAllUsers(caller)
    ? sql`1`
    : sql`(
        ${learningPaths.type} = 'public'
        or ${rowExists(
          learningPathEnrollments,
          sql`${learningPathEnrollments.userId} = ${caller.id} and ${PATH_ENROLLMENT_JOIN}`,
        )}
      )`

/** Returns a path with its courses in order. @throws 404 if the caller may not see it */
export async function getPath(db: Database, caller: Caller, id: number) {
  const [rows, courseRows] = await db.batch([
    db
      .select({ ...pathColumns.fields, version: learningPaths.version })
      .from(learningPaths)
      .where(sql`${learningPaths.id} = ${id} and ${canSeePath(caller)}`),
    db
      .select({ id: courses.id, name: courses.name })
      .from(learningPathCourses)
      .innerJoin(courses, eq(courses.id, learningPathCourses.courseId))
      .where(eq(learningPathCourses.learningPathId, id))
      .orderBy(asc(learningPathCourses.position)),
  ])
  const [found] = rows
  if (!found) throw notFound("learning path")
  return { ...found, courses: courseRows }
}

/** Changes only the given fields. The slug never changes. @throws 404, 412, 422 */
export async function updatePath(work: UnitOfWork, id: number, changes: PathChanges, expectedVersion?: number) {
  const { db } = work
  const plan = planBackgroundWork(work, pathRecount, { pathId: id })
  const [planned, rows, currentCourses, courseRows] = await work.read([
    plan.question,
    db.select().from(learningPaths).where(eq(learningPaths.id, id)),
    db
      .select({ id: learningPathCourses.courseId })
      .from(learningPathCourses)
      .where(eq(learningPathCourses.learningPathId, id))
      .orderBy(asc(learningPathCourses.position)),
    existingRecords(db, courses, changes.course_ids ?? []),
  ])
  const path = requireVersion(rows, "learning path", expectedVersion)
  requireExisting("course_ids", changes.course_ids ?? [], courseRows)
  const same = JSON.stringify(changes.course_ids) === JSON.stringify(currentCourses.map((course) => course.id))
  const courseIds = same ? undefined : changes.course_ids
  const next = pathFields.toUpdate(path, changes)
  const { name } = next
  const changed = changedFields(path, next)
  if (Object.keys(changed).length === 0 && !courseIds) return work.commit([], { message: "Learning path updated." })
  const recounted = courseIds && plan.decide(planned)
  const answer = { message: "Learning path updated.", ...recounted?.job }
  await work.commit(
    [
      guardUnchanged(learningPaths, path),
      updateChanged(db, learningPaths, path, {
        ...changed,
        ...pathFields.changedSearchText(changed, next),
      }),
      ...(courseIds ? setCourses(db, id, courseIds) : []),
      ...(recounted?.statements ?? []),
      work.audit("updated", "learning path", { id, name }, { ...changed, ...(courseIds && { course_ids: courseIds }) }),
    ],
    answer,
  )
  await recounted?.start()
  return answer
}

/** Deletes paths without enrollments; the others remain. */
export const deletePaths = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: learningPaths,
    subject: "learning path",
    name: learningPaths.name,
    ids,
    undeletable: {
      when: rowExists(learningPathEnrollments, PATH_ENROLLMENT_JOIN),
      because: "users are enrolled in them",
    },
  })

type PathsQuery = PageQuery & {
  search_param: { name?: string | undefined; type?: "public" | "private" | undefined }
}

/** The number of paths that the caller may see: stored counters plus the caller's private paths. */
export const countVisiblePaths = (caller: Caller): SQL<number> =>
  canSeeAllUsers(caller)
    ? counter("learning_paths")
    : subquery(sql<number>`(
        ${counter("learning_paths:public")} + (
          select count(*)
          from ${learningPathEnrollments}
          join ${learningPaths} on ${learningPaths.id} = ${learningPathEnrollments.learningPathId}
          where ${learningPathEnrollments.userId} = ${caller.id} and ${learningPaths.type} = 'private'
        )
      )`)

/** Returns one page of the paths that the caller may see. */
export async function listPaths(db: Database, caller: Caller, query: PathsQuery) {
  const { name, type } = query.search_param
  return readPage(
    db,
    {
      table: learningPaths,
      key: learningPaths.id,
      fields: pathColumns.fields,
      sort: pathColumns.sort,
      defaultSort: { colName: "created_at", direction: "desc" },
      scope: [{ test: canSeePath(caller) }],
      search: [
        ...(name ? [searchFilter(learningPaths, name)] : []),
        ...(type ? [{ test: eq(learningPaths.type, type) }] : []),
      ],
      total: countVisiblePaths(caller),
      ...(type &&
        !name &&
        (type === "public" || canSeeAllUsers(caller)) && { filtered: counter(`learning_paths:${type}`) }),
    },
    query,
  )
}
