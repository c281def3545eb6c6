import { eq, type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { SUBMISSION_STATUSES, submissions, submissionTallies } from "../../../drizzle/schema/submissions.ts"
import type { SubmissionStatus } from "../../../drizzle/statuses.ts"
import {
  isInUserSet,
  supervisedUserSet,
  type UserSet,
  usersInGroup,
  usersInPortals,
  usersMatching,
} from "../../access/audience.ts"
import { audienceOf, selectAudienceAccess } from "../../access/scope.ts"
import { type Database, firstRow } from "../../db/client.ts"
import type { Filter, PageQuery } from "../../db/list/listing.ts"
import { preparePage } from "../../db/list/page.ts"
import { textList } from "../../db/sql.ts"
import { type Caller, isSupervisor } from "../../lib/caller.ts"
import { notFound } from "../../lib/errors.ts"
import { canSeeCourse } from "../courses/courses.queries.ts"
import type { submissionColumns } from "./submission-columns.ts"

/** The submissions of some people, entered by whom they are. */
const ofPeople = (people: UserSet): Filter => ({
  test: isInUserSet(submissions.userId, people),
  ids: sql`
    select own.id as id
    from ${people.from}
    cross join submissions as own on own.user_id = ${people.userId}
    where ${people.which}`,
})

const COLUMN = {
  Submitted: submissionTallies.submitted,
  Accepted: submissionTallies.accepted,
  Returned: submissionTallies.returned,
  Closed: submissionTallies.closed,
} as const

/**
 * How many submissions of an audience have one of these statuses: kept tallies.
 * @param courseId 0: in any course. Everyone has a tally of that; of other audiences it is the sum over their courses.
 */
function tallyOf(
  audience: string,
  courseId: number,
  statuses: readonly SubmissionStatus[] = SUBMISSION_STATUSES,
): SQL<number> {
  const columns = sql.join(
    statuses.map((status) => sql`${COLUMN[status]}`),
    sql` + `,
  )
  return sql<number>`coalesce((
    select sum(${columns})
    from ${submissionTallies}
    where ${submissionTallies.audience} = ${audience}
      and ${courseId === 0 && audience !== "all" ? sql`1` : eq(submissionTallies.courseId, courseId)}
  ), 0)`
}

/**
 * Submissions in one of these statuses: a part of the list each. The test by itself leaves the choice of an index to
 * others.
 */
const inStatus = (statuses: readonly SubmissionStatus[]): Filter => ({
  test: sql`+${submissions.status} in ${textList(statuses)}`,
  branches: statuses.map((status) => ({ test: eq(submissions.status, status) })),
})

/** All of them: the list is read by status. */
const inAnyStatus: Filter = { ...inStatus(SUBMISSION_STATUSES), test: sql`1` }

type SubmissionsQuery = PageQuery & {
  course_id?: number | undefined
  group_id?: number | undefined
  portalId?: number | undefined
  search_param: {
    nameOrEmail?: string | undefined
    type?: "assignment" | "discussion" | undefined
    status?: SubmissionStatus[] | undefined
  }
}

/**
 * One page of what was submitted by those whom the caller may see, in one course or in any.
 * @throws 404 for an unknown course, and for a group that the caller may not know
 */
export async function listSubmissions(
  db: Database,
  caller: Caller,
  query: SubmissionsQuery,
  { fields, sort }: Pick<typeof submissionColumns, "fields" | "sort">,
) {
  const { course_id: courseId, group_id: groupId, portalId, search_param: search } = query
  const audience = audienceOf(caller, groupId)
  const people = [
    ...(groupId ? [usersInGroup(groupId)] : isSupervisor(caller) ? [supervisedUserSet(caller)] : []),
    ...(portalId ? [usersInPortals(portalId)] : []),
  ].map(ofPeople)
  // Two audiences at once have no tally of their own, and are counted.
  const kept = portalId ? (people.length === 1 ? `portal:${portalId}` : undefined) : audience.key
  const statuses = [...new Set(search.status ?? [])]
  // Nothing is a discussion: there are no such modules.
  const nothing = search.type === "discussion"
  const filtered = nothing
    ? sql<number>`0`
    : kept && !search.nameOrEmail
      ? tallyOf(kept, courseId ?? 0, statuses.length > 0 ? statuses : undefined)
      : undefined
  const found = preparePage(
    db,
    {
      table: submissions,
      key: submissions.id,
      fields,
      sort,
      narrowedBy: "group_id, portalId, a course (course/submissions) or search_param.nameOrEmail",
      defaultSort: { colName: "submitted_on", direction: "desc" },
      scope: [...people, ...(courseId ? [{ test: eq(submissions.courseId, courseId) }] : []), inAnyStatus],
      search: [
        ...(nothing ? [{ test: sql`0` }] : []),
        ...(search.nameOrEmail ? [ofPeople(usersMatching(search.nameOrEmail))] : []),
        ...(statuses.length > 0 ? [inStatus(statuses)] : []),
      ],
      ...(kept && { total: tallyOf(kept, courseId ?? 0) }),
      ...(filtered && { filtered }),
    },
    query,
  )
  const [rows, totals, may, head] = await db.batch([
    ...found.statements,
    selectAudienceAccess(db, audience),
    db
      .select({ name: courses.name, featuredImageUrl: courses.featuredImageUrl })
      .from(courses)
      .where(sql`${courses.id} = ${courseId ?? 0} and ${canSeeCourse(caller)}`),
  ])
  const [course] = head
  if (courseId && !course) throw notFound("course")
  if (!firstRow(may).allowed) throw notFound("group")
  return { course: course ?? { name: "", featuredImageUrl: null }, page: found.read(rows, totals) }
}
