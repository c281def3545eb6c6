import { eq, sql } from "drizzle-orm"
import { quizAttempts } from "../../../drizzle/schema/quizzes.ts"
import type { EnrollmentStatus } from "../../../drizzle/statuses.ts"
import {
  isInUserSet,
  supervisedUserSet,
  type UserSet,
  usersInGroup,
  usersInPortals,
  usersMatching,
} from "../../access/audience.ts"
import type { Filter } from "../../db/list/listing.ts"
import { textList } from "../../db/sql.ts"
import { type Caller, canSeeAllUsers, isSupervisor } from "../../lib/caller.ts"
import { portalFilter } from "../../lib/input/list-query.ts"
import type { QuizFilters } from "./quiz-reports.schemas.ts"

/** The quizzes of learners that the report and its export are asked for. */
export interface QuizSelection {
  /** The one learner; undefined: several. */
  userId: number | undefined
  portals: number[]
  group: number | undefined
  /** Whom the report is about, beside `userId`: all of these at once. */
  within: UserSet[]
  /** Whom a search is for. */
  searched: UserSet[]
  courseId: number | undefined
  /** Each once. Empty: every attempt, and of one learner the quizzes not tried. */
  statuses: EnrollmentStatus[]
}

export function toQuizSelection(caller: Caller, filters: QuizFilters): QuizSelection {
  const { nameOrEmail, courseId, status, searchPortalIds } = filters.search_param
  const several = canSeeAllUsers(caller) || isSupervisor(caller)
  const userId = filters.user_id ?? (several ? undefined : (caller.id ?? 0))
  const portalId = portalFilter(filters)
  const portals = portalId === undefined ? [] : [portalId]
  const group = filters.group_id
  const searched = [filters.searchPortalIds, searchPortalIds].filter((ids) => ids !== undefined)
  return {
    userId,
    portals,
    group,
    within: [
      ...(userId === undefined && !canSeeAllUsers(caller) ? [supervisedUserSet(caller)] : []),
      ...portals.map((id) => usersInPortals([id])),
      ...(group ? [usersInGroup(group)] : []),
    ],
    searched: [...(nameOrEmail ? [usersMatching(nameOrEmail)] : []), ...searched.map((ids) => usersInPortals(ids))],
    courseId,
    statuses: [...new Set(status)],
  }
}

/** The attempts of some people, entered by whom they are. */
const ofPeople = (people: UserSet): Filter => ({
  test: isInUserSet(quizAttempts.userId, people),
  ids: sql`
    select own.id as id
    from (
      select distinct ${people.userId} as user_id
      from ${people.from}
      where ${people.which}
    ) as people
    cross join quiz_attempts as own on own.user_id = people.user_id`,
})

export const attemptsInStatus = (statuses: readonly EnrollmentStatus[]): Filter => ({
  test: sql`+${quizAttempts.status} in ${textList(statuses)}`,
  branches: [...new Set(statuses)].map((status) => ({ test: sql`${quizAttempts.status} = ${status}` })),
})

/** The attempts before the search, and the search. One learner's are entered by that learner. */
export function attemptFilters(asked: QuizSelection): { scope: Filter[]; search: Filter[] } {
  const { userId, within, searched, courseId, statuses } = asked
  const of = (people: UserSet): Filter => {
    const filter = ofPeople(people)
    return userId === undefined ? filter : { test: filter.test }
  }
  return {
    scope: [...(userId === undefined ? [] : [{ test: eq(quizAttempts.userId, userId) }]), ...within.map(of)],
    search: [
      ...searched.map(of),
      ...(courseId ? [{ test: eq(quizAttempts.courseId, courseId) }] : []),
      ...(statuses.length > 0 ? [attemptsInStatus(statuses)] : []),
    ],
  }
}

/** The tally that keeps the counts of exactly these people; undefined: none does. */
export function quizTallyAudience(caller: Caller, { userId, portals, group }: QuizSelection): string | undefined {
  if (userId !== undefined) return undefined
  const ways = [
    ...(canSeeAllUsers(caller) ? [] : [`reach:${caller.id}`]),
    ...portals.map((portal) => `portal:${portal}`),
    ...(group === undefined ? [] : [`group:${group}`]),
  ]
  return ways.length > 1 ? undefined : (ways[0] ?? "all")
}
