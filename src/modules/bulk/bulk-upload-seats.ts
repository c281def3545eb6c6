import { type SQL, sql } from "drizzle-orm"
import type { UploadMode } from "../../../drizzle/schema/bulk-uploads.ts"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { idList, literal, rowExists, subquery } from "../../db/sql.ts"
import { now } from "../../lib/clock.ts"
import { membershipCourseIds } from "../billing/user-membership.queries.ts"
import { classCourseName } from "../classes/class-names.ts"
import { isOverCapacity, locationCapacity } from "../classes/class-seats.ts"
import { seatsTaken } from "../courses/seats.ts"
import { matchedUsers, type RowKeys } from "./bulk-upload-match.ts"

// The seats in the courses and classes of an upload: the total seats of a course, the seats of the group in it, and the
// capacity of a class. A row that needs a seat in a full one fails.

interface CourseSeats {
  id: number
  name: string
  /** 1: selected, for all rows. 0: a course of the membership, for new users only. */
  selected: 0 | 1
  /** Available seats; null: unlimited. */
  left: number | null
}

interface ClassSeats {
  id: number
  name: string
  /** Why it accepts no enrollments, as `has ended`; null: it accepts them. */
  closed: string | null
  left: number | null
}

const courseSeatsLeft = sql`iif(${courses.totalSeats} = 0, null, ${courses.totalSeats} - ${seatsTaken})`
const groupSeatsLeft = (groupId: number | null) =>
  sql`(
    select ${groupCourseSeats.totalSeats} - ${groupCourseSeats.usedSeats} from ${groupCourseSeats}
    where ${groupCourseSeats.groupId} = ${groupId ?? 0} and ${groupCourseSeats.courseId} = ${courses.id}
  )`

export interface BulkUploadTarget {
  courseIds: number[]
  classIds: number[]
  membershipId: number | null
  groupId: number | null
  sourceId: number
  /** What happens to existing users. */
  mode: UploadMode
  /** The source of the external ids. */
  externalIdSource: string
}

/** The selected courses and those of the membership, for use after `in`. */
const targetCourseIds = ({ courseIds, membershipId }: BulkUploadTarget) =>
  sql`(select value from ${idList(courseIds)} union ${membershipCourseIds(membershipId ?? 0)})`

/** The number of existing courses to enroll in. */
export const courseCount = (places: BulkUploadTarget) =>
  sql`(select count(*) from ${courses} where ${courses.id} in ${targetCourseIds(places)})`

/** Two statements: the courses, and which of the users are enrolled in one with limited seats. */
export function seatReads(db: Database, places: BulkUploadTarget, keys: RowKeys) {
  const { courseIds, groupId } = places
  const isLimited = sql`(${courses.totalSeats} > 0 or exists (
    select 1 from ${groupCourseSeats}
    where ${groupCourseSeats.groupId} = ${groupId ?? 0} and ${groupCourseSeats.courseId} = ${courses.id}
  ))`
  const limited = sql`(
    select ${courses.id} from ${courses}
    where ${courses.id} in ${idList(courseIds)} and ${isLimited}
  )`
  const left = sql<
    number | null
  >`coalesce(min(${courseSeatsLeft}, ${groupSeatsLeft(groupId)}), ${courseSeatsLeft}, ${groupSeatsLeft(groupId)})`
  return [
    db
      .select({
        id: courses.id,
        name: courses.name,
        selected: sql<0 | 1>`${courses.id} in ${idList(courseIds)}`.as("is_selected"),
        left: subquery(left).as("seats_left"),
      })
      .from(courses)
      .where(sql`${courses.id} in ${targetCourseIds(places)}`),
    db
      .select({ userId: enrollments.userId, placeId: sql<number>`${enrollments.courseId}`.as("place_id") })
      .from(matchedUsers(keys))
      .innerJoin(enrollments, sql`${enrollments.userId} = input.id and ${enrollments.courseId} in ${limited}`),
  ] as const
}

/** Two statements: the classes, and which of the users are enrolled in one. */
export const classReads = (db: Database, { classIds }: BulkUploadTarget, keys: RowKeys) =>
  [
    db
      .select({
        id: classes.id,
        name: classCourseName.as("course_name"),
        closed: sql<
          string | null
        >`case when ${hasEnded()} then 'has ended' when ${classes.disabled} then 'is disabled' end`.as("is_closed"),
        left: subquery(
          sql<number | null>`iif(${locationCapacity} = 0, null, ${locationCapacity} - ${classes.size})`,
        ).as("seats_left"),
      })
      .from(classes)
      .where(sql`${classes.id} in ${idList(classIds)}`),
    db
      .select({ userId: classEnrollments.userId, placeId: sql<number>`${classEnrollments.classId}`.as("place_id") })
      .from(matchedUsers(keys))
      .innerJoin(
        classEnrollments,
        sql`${classEnrollments.userId} = input.id
          and ${classEnrollments.classId} in ${idList(classIds)}
          and ${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}`,
      ),
  ] as const

const hasEnded = () => sql`${classes.endAt} <= ${now()}`

/** A course or class of an upload. */
export interface SeatOwner {
  id: number
  /** The subject of error messages. */
  label: string
  /** false: for new users only. */
  forEveryone: boolean
  /** Why it accepts no enrollments; null: it accepts them. */
  closed: string | null
  /** Available seats; null: unlimited. */
  left: number | null
}

export const courseSeats = (courses: CourseSeats[], held: ExistingSeat[]) =>
  new SeatAllocation(
    courses.map(({ name, selected, ...course }) => ({
      ...course,
      label: `The course ${name}`,
      forEveryone: selected === 1,
      closed: null,
    })),
    held,
  )

export const classSeats = (found: ClassSeats[], held: ExistingSeat[]) =>
  new SeatAllocation(
    found.map(({ name, ...place }) => ({ ...place, label: `Class ${place.id}, ${name},`, forEveryone: true })),
    held,
  )

interface ExistingSeat {
  userId: number
  placeId: number
}

/** Allocates available seats to rows in their order. */
export class SeatAllocation {
  readonly entries: readonly SeatOwner[]
  readonly forEveryone: number[]
  readonly forNewUsers: number[]
  /** The courses or classes with new enrollments. */
  readonly assignedIds = new Set<number>()
  private readonly left: Map<number, number>
  private readonly held: ReadonlySet<string>

  constructor(places: SeatOwner[], held: ExistingSeat[]) {
    this.entries = places
    const idsOf = (all: boolean) => places.filter(({ forEveryone }) => forEveryone === all).map(({ id }) => id)
    this.forEveryone = idsOf(true)
    this.forNewUsers = idsOf(false)
    this.left = new Map(places.flatMap(({ id, left }) => (left === null ? [] : [[id, left]])))
    this.held = new Set(held.map(({ userId, placeId }) => `${userId} ${placeId}`))
  }

  /** The entries in which the user needs a seat. @param userId undefined: a new user */
  private neededFor(userId?: number): readonly SeatOwner[] {
    if (userId === undefined) return this.entries
    return this.entries.filter(({ id, forEveryone }) => forEveryone && !this.held.has(`${userId} ${id}`))
  }

  /** The reasons why the user cannot get all the seats that they need. */
  findErrors(userId?: number): string[] {
    return this.neededFor(userId).flatMap(({ id, label, closed }) => {
      if (closed !== null) return [`${label} ${closed}.`]
      return (this.left.get(id) ?? 1) < 1 ? [`${label} has no seat left.`] : []
    })
  }

  take(userId?: number): void {
    for (const { id } of this.neededFor(userId)) {
      const left = this.left.get(id)
      if (left !== undefined) this.left.set(id, left - 1)
      this.assignedIds.add(id)
    }
  }
}

/** The condition that no course exceeds its seats or those of the group. */
export const coursesWithinSeats = (courseIds: number[], groupId: number | null): SQL =>
  sql`not ${rowExists(
    courses,
    sql`${courses.id} in ${idList(courseIds)} and (${courseSeatsLeft} < 0 or ${groupSeatsLeft(groupId)} < 0)`,
  )}`

/** The condition that all classes accept enrollments and none exceeds its capacity. */
export const classesOpen = (classIds: number[]): SQL =>
  sql`not ${rowExists(
    classes,
    sql`${classes.id} in ${idList(classIds)} and (${hasEnded()} or ${classes.disabled} or ${isOverCapacity})`,
  )}`
