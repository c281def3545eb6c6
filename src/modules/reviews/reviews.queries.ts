import { and, eq, getTableColumns, type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { reviews } from "../../../drizzle/schema/reviews.ts"
import { users } from "../../../drizzle/schema/users.ts"
import {
  canChangeUser,
  canSeeUser,
  guardUserExists,
  type OwnerParams,
  rowsInScope,
  selectVisibleUser,
} from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
import { deleteRecords, readRecord, requireVersion, updateRecord } from "../../db/records.ts"
import { counter, rowExists } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { type Caller, canChangeUserOfType, canSeeAllUsers } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { forbidden, invalid } from "../../lib/errors.ts"
import { canSeeCourse } from "../courses/courses.queries.ts"
import { reviewColumns } from "./review-columns.ts"
import type { NewReview, ReviewChanges } from "./reviews.schemas.ts"

const nameOf = (courseId: number) => `Review of course ${courseId}`

/** Whether a user is enrolled in a course. */
const isEnrolled = (userId: number, courseId: SQLWrapper | number): SQL =>
  rowExists(enrollments, sql`${enrollments.courseId} = ${courseId} and ${enrollments.userId} = ${userId}`)

/** @throws 422 for an unknown user or course, without an enrollment, and for a second review; 403 for another user */
export async function createReview(work: UnitOfWork, input: NewReview) {
  const { db, caller } = work
  const { courseId, rating, text = "", userId = caller.id } = input
  if (userId === null) throw invalid("userId", "userId is required without a session.")
  if (userId !== caller.id && !canSeeAllUsers(caller))
    throw forbidden("Your role allows you to write only your own reviews.", "self_only")
  const enrolled = isEnrolled(userId, courses.id)
  const [newIds, [owner], [course]] = await work.read([
    work.nextIds("reviews"),
    selectVisibleUser(db, caller, userId),
    db
      .select({ enrolled: sql<number>`${enrolled}`.as("enrolled") })
      .from(courses)
      .where(sql`${courses.id} = ${courseId} and (${enrolled} or ${canSeeCourse(caller)})`),
  ])
  if (!owner) throw invalid("userId", "userId does not match any user.")
  if (userId !== caller.id && !canChangeUserOfType(caller, owner.userType))
    throw forbidden("Your role does not allow you to write reviews for this user.")
  if (!course) throw invalid("courseId", "courseId does not match any course.")
  if (!course.enrolled) throw invalid("courseId", "The user is not enrolled in this course.")
  const id = firstRow(newIds).last
  return work.commit(
    [
      guardUserExists(work, userId),
      work.guard(isEnrolled(userId, courseId)),
      db.insert(reviews).values({ id, userId, courseId, rating, text, createdAt: now() }),
      work.audit("created", "review", { id, name: nameOf(courseId) }, { userId, courseId, rating }),
    ],
    { id, message: "Review created." },
    {
      unique: {
        "reviews.course_id": () =>
          invalid("courseId", "The user has already reviewed this course. Update that review instead."),
      },
    },
  )
}

/** @throws 404 */
export const getReview = (db: Database, caller: Caller, id: number) =>
  readRecord(
    db,
    { table: reviews, fields: reviewColumns.fields, subject: "review" },
    id,
    canSeeUser(caller, reviews.userId),
  )

/** Updates the provided fields. @throws 404, 403, 412 */
export async function updateReview(work: UnitOfWork, id: number, changes: ReviewChanges, expectedVersion?: number) {
  const { caller } = work
  const [rows] = await work.read([
    work.db
      .select({ ...getTableColumns(reviews), ownerType: sql<string>`${users.userType}`.as("owner_type") })
      .from(reviews)
      .innerJoin(users, eq(users.id, reviews.userId))
      .where(and(eq(reviews.id, id), canSeeUser(caller, reviews.userId))),
  ])
  const { ownerType, ...review } = requireVersion(rows, "review", expectedVersion)
  if (review.userId !== caller.id && !canChangeUserOfType(caller, ownerType))
    throw forbidden("Your role does not allow you to change this user's reviews.")
  return updateRecord(work, {
    table: reviews,
    record: review,
    next: { rating: changes.rating ?? review.rating, text: changes.text ?? review.text },
    subject: "review",
    name: nameOf(review.courseId),
    answer: { message: "Review updated." },
    details: { userId: review.userId, rating: changes.rating ?? review.rating },
  })
}

/** Whether a review is the caller's own, or of a user that the caller may change. */
function mayDelete(caller: Caller): SQL {
  const isOwn = sql`${reviews.userId} = ${caller.id}`
  if (!canSeeAllUsers(caller)) return isOwn
  const isChangeable = rowExists(
    users,
    sql`${users.id} = ${reviews.userId} and ${canChangeUser(caller, users.userType)}`,
  )
  return sql`(${isOwn} or ${isChangeable})`
}

/** Deletes reviews; other users' reviews that the caller may not delete count as unknown. */
export const deleteReviews = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: reviews,
    subject: "review",
    name: sql`'Review of course ' || ${reviews.courseId}`,
    ids,
    within: mayDelete(work.caller),
  })

interface ReviewSearch {
  courseId?: number | undefined
  userId?: number | undefined
  rating?: number | undefined
}

export async function listReviews(
  db: Database,
  caller: Caller,
  query: PageQuery & OwnerParams & { search_param: ReviewSearch },
) {
  const { courseId, userId, rating } = query.search_param
  const owned = {
    table: reviews,
    key: reviews.id,
    userId: reviews.userId,
    kind: "learning",
    total: counter("reviews"),
  } as const
  return readPage(
    db,
    {
      table: reviews,
      key: reviews.id,
      fields: reviewColumns.fields,
      sort: reviewColumns.sort,
      narrowedBy: "user_id, portalId, group_id or a search_param",
      defaultSort: { colName: "created_at", direction: "desc" },
      ...rowsInScope(caller, owned, query),
      search: [
        ...(courseId ? [{ test: eq(reviews.courseId, courseId) }] : []),
        ...(userId ? [{ test: eq(reviews.userId, userId) }] : []),
        ...(rating ? [{ test: eq(reviews.rating, rating) }] : []),
      ],
    },
    query,
  )
}
