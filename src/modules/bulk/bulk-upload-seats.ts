import { type SQL, sql } from "drizzle-orm"
import { classEnrollments, classes } from "../../../drizzle/schema/classes.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import { groupCourseSeats } from "../../../drizzle/schema/groups.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ClassStatus } from "../../../drizzle/statuses.ts"
import type { Database } from "../../db/client.ts"
import { idList, literal, rowExists, subquery } from "../../db/sql.ts"
import { now } from "../../lib/clock.ts"
import { membershipCourseIds } from "../billing/user-membership.queries.ts"
import { classCourseName } from "../classes/class-names.ts"
import { isOverCapacity, locationCapacity } from "../classes/class-seats.ts"
import { seatsTaken } from "../courses/seats.ts"

// The seats of what an upload puts people in: a course's own, those that the group has in it, and the room that a
// class's location has. A row for which one is full fails as a whole.

interface Course {
  id: number
  name: string
  /** Everybody is to be in it: it was selected. Else it comes with the membership, which newcomers alone are given. */
  selected: 0 | 1
  /** Seats left; null: any number. */
  left: number | null
}

interface HeldClass {
  id: number
  name: string
  /** Why it takes nobody, as `has ended`; null: it does. */
  closed: string | null
  left: number | null
}

const ownLeft = sql`iif(${courses.totalSeats} = 0, null, ${courses.totalSeats} - ${seatsTaken})`
const groupLeft = (groupId: number | null) =>
  sql`(
    select ${groupCourseSeats.totalSeats} - ${groupCourseSeats.usedSeats} from ${groupCourseSeats}
    where ${groupCourseSeats.groupId} = ${groupId ?? 0} and ${groupCourseSeats.courseId} = ${courses.id}
  )`

/** What an upload puts people in. */
export interface Places {
  courseIds: number[]
  classIds: number[]
  membershipId: number | null
  groupId: number | null
  sourceId: number
}

/** The courses selected and those of the membership, for use after `in`. */
const wanted = ({ courseIds, membershipId }: Places) =>
  sql`(select value from ${idList(courseIds)} union ${membershipCourseIds(membershipId ?? 0)})`

/** How many courses there are to enroll in. */
export const courseCount = (places: Places) =>
  sql`(select count(*) from ${courses} where ${courses.id} in ${wanted(places)})`

/** The courses, and who of the users has a place in one whose seats are limited; two statements. */
export function seatReads(db: Database, places: Places, addresses: string[]) {
  const { courseIds, groupId } = places
  const isLimited = sql`(${courses.totalSeats} > 0 or exists (
    select 1 from ${groupCourseSeats}
    where ${groupCourseSeats.groupId} = ${groupId ?? 0} and ${groupCourseSeats.courseId} = ${courses.id}
  ))`
  const limited = sql`(
    select ${courses.id} from ${courses}
    where ${courses.id} in ${idList(courseIds)} and ${isLimited}
  )`
  const left = sql<number | null>`coalesce(min(${ownLeft}, ${groupLeft(groupId)}), ${ownLeft}, ${groupLeft(groupId)})`
  return [
    db
      .select({
        id: courses.id,
        name: courses.name,
        selected: sql<0 | 1>`${courses.id} in ${idList(courseIds)}`.as("is_selected"),
        left: subquery(left).as("seats_left"),
      })
      .from(courses)
      .where(sql`${courses.id} in ${wanted(places)}`),
    db
      .select({ userId: enrollments.userId, placeId: sql<number>`${enrollments.courseId}`.as("place_id") })
      .from(sql`json_each(${JSON.stringify(addresses)}) as given`)
      .innerJoin(users, sql`${users.email} collate nocase = given.value`)
      .innerJoin(enrollments, sql`${enrollments.userId} = ${users.id} and ${enrollments.courseId} in ${limited}`),
  ] as const
}

/** The classes, and who of the users holds a place in one; two statements. */
export const classReads = (db: Database, { classIds }: Places, addresses: string[]) =>
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
      .from(sql`json_each(${JSON.stringify(addresses)}) as given`)
      .innerJoin(users, sql`${users.email} collate nocase = given.value`)
      .innerJoin(
        classEnrollments,
        sql`${classEnrollments.userId} = ${users.id}
          and ${classEnrollments.classId} in ${idList(classIds)}
          and ${classEnrollments.status} <> ${literal(ClassStatus.Cancelled)}`,
      ),
  ] as const

const hasEnded = () => sql`${classes.endAt} <= ${now()}`

/** Something that an upload puts people in. */
export interface Place {
  id: number
  /** How a reason begins that names it. */
  label: string
  /** Else newcomers alone are put in it. */
  forEveryone: boolean
  /** Why it takes nobody; null: it does. */
  closed: string | null
  /** Seats left; null: any number. */
  left: number | null
}

export const courseSeats = (courses: Course[], held: Held[]) =>
  new Seats(
    courses.map(({ name, selected, ...course }) => ({
      ...course,
      label: `The course ${name}`,
      forEveryone: selected === 1,
      closed: null,
    })),
    held,
  )

export const classSeats = (found: HeldClass[], held: Held[]) =>
  new Seats(
    found.map(({ name, ...place }) => ({ ...place, label: `Class ${place.id}, ${name},`, forEveryone: true })),
    held,
  )

interface Held {
  userId: number
  placeId: number
}

/** Gives out the seats that are left, row by row. */
export class Seats {
  readonly places: readonly Place[]
  /** The ids of those for everybody, and of those for newcomers alone. */
  readonly forEveryone: number[]
  readonly forNewcomers: number[]
  /** In which somebody was given a seat. */
  readonly filling = new Set<number>()
  private readonly left: Map<number, number>
  private readonly held: ReadonlySet<string>

  constructor(places: Place[], held: Held[]) {
    this.places = places
    const idsOf = (all: boolean) => places.filter(({ forEveryone }) => forEveryone === all).map(({ id }) => id)
    this.forEveryone = idsOf(true)
    this.forNewcomers = idsOf(false)
    this.left = new Map(places.flatMap(({ id, left }) => (left === null ? [] : [[id, left]])))
    this.held = new Set(held.map(({ userId, placeId }) => `${userId} ${placeId}`))
  }

  /** Those that somebody is to be in and is not yet. @param userId undefined: a user who is about to be created */
  private needed(userId?: number): readonly Place[] {
    if (userId === undefined) return this.places
    return this.places.filter(({ id, forEveryone }) => forEveryone && !this.held.has(`${userId} ${id}`))
  }

  /** Why somebody cannot have a seat in all that they need one in; empty: they can. */
  lacking(userId?: number): string[] {
    return this.needed(userId).flatMap(({ id, label, closed }) => {
      if (closed !== null) return [`${label} ${closed}.`]
      return (this.left.get(id) ?? 1) < 1 ? [`${label} has no seat left.`] : []
    })
  }

  /** Takes those seats. */
  take(userId?: number): void {
    for (const { id } of this.needed(userId)) {
      const left = this.left.get(id)
      if (left !== undefined) this.left.set(id, left - 1)
      this.filling.add(id)
    }
  }
}

/** The condition that no course is over its seats, nor the group over its own there. */
export const coursesHold = (courseIds: number[], groupId: number | null): SQL =>
  sql`not ${rowExists(
    courses,
    sql`${courses.id} in ${idList(courseIds)} and (${ownLeft} < 0 or ${groupLeft(groupId)} < 0)`,
  )}`

/** The condition that these classes still take people, and none is over its room. */
export const classesHold = (classIds: number[]): SQL =>
  sql`not ${rowExists(
    classes,
    sql`${classes.id} in ${idList(classIds)} and (${hasEnded()} or ${classes.disabled} or ${isOverCapacity})`,
  )}`
