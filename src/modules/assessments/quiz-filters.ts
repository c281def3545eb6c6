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

/** What the quiz report and its export select. */
export interface QuizSelection {
  /** One learner; undefined means several. */
  userId: number | undefined
  portals: number[]
  group: number | undefined
  /** The audiences of the report, in addition to `userId`. Learners must be in all of them. */
  within: UserSet[]
  /** The audiences of the search. */
  searched: UserSet[]
  courseId: number | undefined
  /** Distinct. Empty means all attempts, and for one learner also quizzes without an attempt. */
  statuses: EnrollmentStatus[]
}

export function toQuizSelection(caller: Caller, filters: QuizFilters): QuizSelection {
  const { nameOrEmail, courseId, status, searchPortalIds } = filters.search_param
  const seesOthers = canSeeAllUsers(caller) || isSupervisor(caller)
  const userId = filters.user_id ?? (seesOthers ? undefined : (caller.id ?? 0))
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

/** The attempts of these users, found through the users. */
const attemptsOfUsers = (people: UserSet): Filter => ({
  test: isInUserSet(quizAttempts.userId, people),
  ids: sql`
    select matching.id as id
    from (
      select distinct ${people.userId} as user_id
      from ${people.from}
      where ${people.condition}
    ) as people
    cross join quiz_attempts as matching on matching.user_id = people.user_id`,
})

export const attemptsInStatus = (statuses: readonly EnrollmentStatus[]): Filter => ({
  test: sql`+${quizAttempts.status} in ${textList(statuses)}`,
  branches: [...new Set(statuses)].map((status) => ({ test: sql`${quizAttempts.status} = ${status}` })),
})

/** The filters before and within the search. For one learner, the attempts are found through the learner. */
export function attemptFilters(selection: QuizSelection): { scope: Filter[]; search: Filter[] } {
  const { userId, within, searched, courseId, statuses } = selection
  const toFilter = (people: UserSet): Filter => {
    const filter = attemptsOfUsers(people)
    return userId === undefined ? filter : { test: filter.test }
  }
  return {
    scope: [...(userId === undefined ? [] : [{ test: eq(quizAttempts.userId, userId) }]), ...within.map(toFilter)],
    search: [
      ...searched.map(toFilter),
      ...(courseId ? [{ test: eq(quizAttempts.courseId, courseId) }] : []),
      ...(statuses.length > 0 ? [attemptsInStatus(statuses)] : []),
    ],
  }
}

/** The audience of the counter of exactly these users; undefined if there is none. */
export function quizCounterAudience(caller: Caller, { userId, portals, group }: QuizSelection): string | undefined {
  if (userId !== undefined) return undefined
  const audiences = [
    ...(canSeeAllUsers(caller) ? [] : [`supervisor:${caller.id}`]),
    ...portals.map((portal) => `portal:${portal}`),
    ...(group === undefined ? [] : [`group:${group}`]),
  ]
  return audiences.length > 1 ? undefined : (audiences[0] ?? "all")
}
