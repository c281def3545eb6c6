import { type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/courses.ts"
import { enrolments } from "../../../drizzle/enrolments.ts"
import { groupCourseSeats } from "../../../drizzle/groups.ts"
import { users } from "../../../drizzle/users.ts"
import type { Database } from "../../lib/db.ts"
import { idList, subquery } from "../../lib/sql.ts"
import { seatsTaken } from "../enrolments/enrolments.queries.ts"
import { coursesOfMembership } from "../users/user-membership.queries.ts"

// The seats of the courses that an upload enrols in: the course's own, and those that the group has in it. A row for
// which one is full fails as a whole.

interface Course {
  id: number
  name: string
  /** Everybody is to be in it: it was selected. Else it comes with the membership, which newcomers alone are given. */
  selected: 0 | 1
  /** Seats left; null: any number. */
  left: number | null
}

const ownLeft = sql`iif(${courses.totalSeats} = 0, null, ${courses.totalSeats} - ${seatsTaken})`
const groupLeft = (groupId: number | null) =>
  sql`(select ${groupCourseSeats.totalSeats} - ${groupCourseSeats.usedSeats} from ${groupCourseSeats} where ${groupCourseSeats.groupId} = ${groupId ?? 0} and ${groupCourseSeats.courseId} = ${courses.id})`

/** What an upload puts people in. */
export interface Places {
  courseIds: number[]
  membershipId: number | null
  groupId: number | null
}

/** The courses selected and those of the membership, for use after `in`. */
const wanted = ({ courseIds, membershipId }: Places) =>
  sql`(select value from ${idList(courseIds)} union ${coursesOfMembership(membershipId ?? 0)})`

/** How many courses there are to enrol in. */
export const courseCount = (places: Places) =>
  sql`(select count(*) from ${courses} where ${courses.id} in ${wanted(places)})`

/** The courses, and who of the users has a place in one whose seats are limited; two statements. */
export function seatReads(db: Database, places: Places, addresses: string[]) {
  const { courseIds, groupId } = places
  const left = sql`coalesce(min(${ownLeft}, ${groupLeft(groupId)}), ${ownLeft}, ${groupLeft(groupId)})`
  return [
    db
      .select({
        id: courses.id,
        name: courses.name,
        selected: sql<0 | 1>`${courses.id} in ${idList(courseIds)}`.as("is_selected"),
        left: subquery(left as SQL<number | null>).as("seats_left"),
      })
      .from(courses)
      .where(sql`${courses.id} in ${wanted(places)}`),
    db
      .select({ userId: enrolments.userId, courseId: enrolments.courseId })
      .from(sql`json_each(${JSON.stringify(addresses)}) as given`)
      .innerJoin(users, sql`${users.email} collate nocase = given.value`)
      .innerJoin(
        enrolments,
        sql`${enrolments.userId} = ${users.id} and ${enrolments.courseId} in (select ${courses.id} from ${courses} where ${courses.id} in ${idList(courseIds)} and (${courses.totalSeats} > 0 or exists (select 1 from ${groupCourseSeats} where ${groupCourseSeats.groupId} = ${groupId ?? 0} and ${groupCourseSeats.courseId} = ${courses.id})))`,
      ),
  ] as const
}

/** Gives out the seats that are left, row by row. */
export class Seats {
  readonly courses: readonly Course[]
  /** The ids of those for everybody, and of those for newcomers alone. */
  readonly selected: number[]
  readonly withMembership: number[]
  /** The courses in which a limited seat was given out. */
  readonly filling = new Set<number>()
  private readonly left: Map<number, number>
  private readonly held: ReadonlySet<string>

  constructor(courses: Course[], held: { userId: number; courseId: number }[]) {
    this.courses = courses
    const idsOf = (selected: 0 | 1) => courses.filter((course) => course.selected === selected).map(({ id }) => id)
    this.selected = idsOf(1)
    this.withMembership = idsOf(0)
    this.left = new Map(courses.flatMap(({ id, left }) => (left === null ? [] : [[id, left]])))
    this.held = new Set(held.map(({ userId, courseId }) => `${userId} ${courseId}`))
  }

  /**
   * Takes a seat in every course that somebody is to be in and has none yet.
   * @param userId undefined: a user who is about to be
   * @returns why not, where one is full; then none is taken
   */
  take(userId?: number): string[] {
    const needed = [...this.left].filter(
      ([courseId]) =>
        userId === undefined || (this.selected.includes(courseId) && !this.held.has(`${userId} ${courseId}`)),
    )
    const full = needed.filter(([, left]) => left < 1).map(([courseId]) => courseId)
    if (full.length > 0)
      return this.courses.flatMap(({ id, name }) => (full.includes(id) ? [`The course ${name} has no seat left.`] : []))
    for (const [courseId, left] of needed) {
      this.left.set(courseId, left - 1)
      this.filling.add(courseId)
    }
    return []
  }
}

/** The condition that no course is over its seats, nor the group over its own there. */
export const seatsHold = (courseIds: number[], groupId: number | null): SQL =>
  sql`not exists (select 1 from ${courses} where ${courses.id} in ${idList(courseIds)} and (${ownLeft} < 0 or ${groupLeft(groupId)} < 0))`
