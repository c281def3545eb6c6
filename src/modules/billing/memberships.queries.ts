import { eq, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { membershipCourses } from "../../../drizzle/schema/membership-courses.ts"
import { memberships } from "../../../drizzle/schema/memberships.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom } from "../../db/insert-from.ts"
import type { PageQuery } from "../../db/list/listing.ts"
import { readPage } from "../../db/list/page.ts"
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
import { searchFilter } from "../../db/search.ts"
import { counter, idList } from "../../db/sql.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"
import { invalid, notFound } from "../../lib/errors.ts"
import { membershipColumns, membershipFields } from "./membership-fields.ts"
import { hasMembers, membershipDeletion } from "./memberships.background.ts"
import type { MembershipChanges, NewMembership } from "./memberships.schemas.ts"

const UNIQUE = { "memberships.name": () => invalid("name", "name is already taken by another membership.") }

const coursesOf = (db: Database, id: number) =>
  db.select({ id: membershipCourses.courseId }).from(membershipCourses).where(eq(membershipCourses.membershipId, id))

const setCourses = (db: Database, membershipId: number, ids: number[]): Statement[] => [
  db.delete(membershipCourses).where(eq(membershipCourses.membershipId, membershipId)),
  insertFrom(db, membershipCourses, { membershipId, courseId: sql`value` }, sql`from ${idList(ids)} where true`),
]

/** @throws 422 when the name is taken, or a course does not exist */
export async function createMembership(work: UnitOfWork, input: NewMembership) {
  const { db } = work
  const { course_ids: courseIds = [] } = input
  const [newIds, courseRows] = await work.read([work.nextIds("memberships"), existingRecords(db, courses, courseIds)])
  requireExisting("course_ids", courseIds, courseRows)
  const id = firstRow(newIds).last
  const row = membershipFields.toInsert(input)
  const { name, ...details } = row
  return work.commit(
    [
      db.insert(memberships).values({ id, ...row, searchText: membershipFields.searchText(row), createdAt: now() }),
      ...(courseIds.length > 0 ? setCourses(db, id, courseIds) : []),
      work.audit("created", "membership", { id, name }, { ...details, course_ids: courseIds }),
    ],
    { id, message: "Membership created." },
    { unique: UNIQUE },
  )
}

/** Returns a membership with its courses. @throws 404 */
export async function getMembership(db: Database, id: number) {
  const [rows, courseRows] = await db.batch([
    db
      .select({ ...membershipColumns.fields, version: memberships.version })
      .from(memberships)
      .where(eq(memberships.id, id)),
    coursesOf(db, id),
  ])
  const [found] = rows
  if (!found) throw notFound("membership")
  return { ...found, courseIds: courseRows.map((row) => row.id) }
}

/** Updates the provided fields. @throws 404, 412, 422 as in create */
export async function updateMembership(
  work: UnitOfWork,
  id: number,
  changes: MembershipChanges,
  expectedVersion?: number,
) {
  const { db } = work
  const [rows, courseRows, currentCourses] = await work.read([
    db.select().from(memberships).where(eq(memberships.id, id)),
    existingRecords(db, courses, changes.course_ids ?? []),
    coursesOf(db, id),
  ])
  const membership = requireVersion(rows, "membership", expectedVersion)
  requireExisting("course_ids", changes.course_ids ?? [], courseRows)
  const courseIds = hasSameIds(changes.course_ids, currentCourses) ? undefined : changes.course_ids
  const next = membershipFields.toUpdate(membership, changes)
  const changed = changedFields(membership, next)
  const answer = { message: "Membership updated." }
  if (Object.keys(changed).length === 0 && !courseIds) return work.commit([], answer)
  return work.commit(
    [
      guardUnchanged(memberships, membership),
      updateChanged(db, memberships, membership, { ...changed, searchText: membershipFields.searchText(next) }),
      ...(courseIds ? setCourses(db, id, courseIds) : []),
      work.audit(
        "updated",
        "membership",
        { id, name: next.name },
        { ...next, ...(courseIds && { course_ids: courseIds }) },
      ),
    ],
    answer,
    { unique: UNIQUE },
  )
}

/** Deletes memberships, except those that users have. Expired memberships of users do not prevent it. */
export const deleteMemberships = (work: UnitOfWork, ids: number[]) =>
  deleteRecords(work, {
    table: memberships,
    subject: "membership",
    name: memberships.name,
    ids,
    undeletable: {
      when: hasMembers(),
      because: "users have them",
    },
    cascade: membershipDeletion,
  })

/** Returns one page of memberships. */
export async function listMemberships(
  db: Database,
  query: PageQuery & { search_param: { name?: string | undefined } },
) {
  const { name } = query.search_param
  return readPage(
    db,
    {
      table: memberships,
      key: memberships.id,
      fields: membershipColumns.fields,
      sort: membershipColumns.sort,
      defaultSort: { colName: "name", direction: "asc" },
      scope: [],
      search: name ? [searchFilter(memberships, name)] : [],
      total: counter("memberships"),
    },
    query,
  )
}
