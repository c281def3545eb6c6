import { type SQL, type SQLWrapper, sql } from "drizzle-orm"
import { doneIn, isDone, percentOf, pointsAwardedIn, pointsPossibleIn } from "../../../drizzle/rules.ts"
import { courses } from "../../../drizzle/schema/courses.ts"
import { enrollments, moduleStatuses, tallies } from "../../../drizzle/schema/enrollments.ts"
import type { BackgroundKind, Stage } from "../../db/background-work.ts"
import type { Statement } from "../../db/statements.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import { now } from "../../lib/clock.ts"

/** Rows that completing an enrollment writes beside its own: counters, activity, certificate, awards, learning path. */
const COMPLETION_WEIGHT = 60

const completion = sql`${COMPLETION_WEIGHT} + (
  select count(*) from audiences where audiences.user_id = ${enrollments.userId}
)`
/** Whether the learner has done what the course asks for now. */
const isReached = sql.raw(
  isDone(doneIn("enrollments"), "(SELECT goal FROM courses WHERE courses.id = enrollments.course_id)"),
)

type OfCourse = { courseId: number }

/** A status at a time: the index by course and status then leads to where the last slice ended. */
const inStatus = (status: "In Progress" | "Completed", counted: SQLWrapper): Stage<OfCourse> => ({
  table: enrollments,
  where: ({ courseId }) => sql`${enrollments.courseId} = ${courseId} and ${enrollments.status} = ${status}`,
  key: [enrollments.registeredAt, enrollments.id],
  weight: 3,
  ...(status === "In Progress" && {
    extraWeight: completion,
    sliceWeight: sql`iif(${isReached}, ${completion}, 0)`,
  }),
  total: ({ courseId }) => sql`(
    select ${counted} from ${tallies}
    where ${tallies.audience} = 'all' and ${tallies.courseId} = ${courseId}
  )`,
  change: recount,
})

/** Recounts the enrollments of a course whose modules changed. No percent falls, and Completed stays. */
export const courseRecount: BackgroundKind<OfCourse> = {
  name: "course.recount",
  // In this order an enrollment that completes meanwhile is not missed.
  stages: [inStatus("In Progress", tallies.inProgress), inStatus("Completed", tallies.completed)],
}

/** Recounts the points that are possible in enrollments where a module was graded, once it is worth something else. */
export const modulePoints: BackgroundKind<{ moduleId: number }> = {
  name: "module.points",
  stages: [
    {
      table: moduleStatuses,
      where: ({ moduleId }) => sql`${moduleStatuses.moduleId} = ${moduleId}`,
      key: [moduleStatuses.enrollmentId],
      weight: 1,
      // A kept counter of a module's statuses does not exist: of all enrollments that have begun.
      total: () => sql`(
        select ${tallies.inProgress} + ${tallies.completed} from ${tallies}
        where ${tallies.audience} = 'all' and ${tallies.courseId} = 0
      )`,
      change: (work, _, which) => [recountPossiblePoints(work, which)],
    },
  ],
}

const raw = (text: string) => sql.raw(text)

/** @param which a condition on module statuses */
export const recountPossiblePoints = ({ db }: UnitOfWork, which: SQL): Statement => {
  const possible = raw(pointsPossibleIn("enrollments"))
  return db
    .update(enrollments)
    .set({ pointsPossible: possible })
    .where(
      sql`${enrollments.id} in (
          select ${moduleStatuses.enrollmentId} from ${moduleStatuses}
          where ${which} and ${moduleStatuses.pointsAwarded} is not null
        ) and ${enrollments.pointsPossible} <> ${possible}`,
    )
}

/** Each statement writes the rows that it changes only, and the status, which is indexed, only where it changes. */
function recount({ db }: UnitOfWork, { courseId }: OfCourse, which: SQL): Statement[] {
  const goal = sql`(select ${courses.goal} as goal from ${courses} where ${courses.id} = ${courseId}) as progress`
  const percent = raw(percentOf("enrollments.percent", "enrollments.done", "progress.goal"))
  const completes = raw(`enrollments.status = 'In Progress' AND ${isDone("enrollments.done", "progress.goal")}`)
  const counted = {
    done: raw(doneIn("enrollments")),
    pointsAwarded: raw(pointsAwardedIn("enrollments")),
    pointsPossible: raw(pointsPossibleIn("enrollments")),
  }
  const { done, pointsAwarded, pointsPossible } = enrollments
  const differs = sql`(${done}, ${pointsAwarded}, ${pointsPossible})
    <> (${sql.join(Object.values(counted), sql`, `)})`
  return [
    db.update(enrollments).set(counted).where(sql`${which} and ${differs}`),
    db.update(enrollments).set({ percent }).from(goal).where(sql`${which} and ${enrollments.percent} <> ${percent}`),
    db
      .update(enrollments)
      .set({ completedAt: now(), status: "Completed" })
      .from(goal)
      .where(sql`${which} and ${completes}`),
  ]
}
