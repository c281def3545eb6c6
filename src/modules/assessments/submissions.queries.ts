import { eq, type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/schema/courses.ts"
import { SUBMISSION_STATUSES, submissionCounts, submissions } from "../../../drizzle/schema/submissions.ts"
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

/** The submissions of these users, found through the users. */
const submissionsOfUsers = (people: UserSet): Filter => ({
  test: isInUserSet(submissions.userId, people),
  ids: sql`
    select matching.id as id
    from ${people.from}
    cross join submissions as matching on matching.user_id = ${people.userId}
    where ${people.condition}`,
})

const COUNT_COLUMNS = {
  Submitted: submissionCounts.submitted,
  Accepted: submissionCounts.accepted,
  Returned: submissionCounts.returned,
  Closed: submissionCounts.closed,
} as const

/**
 * The number of submissions of an audience in these statuses, from the stored counts.
 * @param courseId 0 counts all courses. Only the audience `all` stores that total; for others the courses are summed.
 */
function storedSubmissionCount(
  audience: string,
  courseId: number,
  statuses: readonly SubmissionStatus[] = SUBMISSION_STATUSES,
): SQL<number> {
  const columns = sql.join(
    statuses.map((status) => sql`${COUNT_COLUMNS[status]}`),
    sql` + `,
  )
  return sql<number>`coalesce((
    select sum(${columns})
    from ${submissionCounts}
    where ${submissionCounts.audience} = ${audience}
      and ${courseId === 0 && audience !== "all" ? sql`1` : eq(submissionCounts.courseId, courseId)}
  ), 0)`
}

/**
 * Submissions in these statuses, read as one branch per status. The unary plus in `test` keeps the status index free
 * for the branches.
 */
const hasStatus = (statuses: readonly SubmissionStatus[]): Filter => ({
  test: sql`+${submissions.status} in ${textList(statuses)}`,
  branches: statuses.map((status) => ({ test: eq(submissions.status, status) })),
})

/** All submissions, read one status at a time. */
const inAnyStatus: Filter = { ...hasStatus(SUBMISSION_STATUSES), test: sql`1` }

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
 * Returns one page of the submissions of users that the caller may see, in one course or in all.
 * @throws 404 if the course or the group is unknown to the caller
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
  ].map(submissionsOfUsers)
  // Two audiences combined have no counter: their submissions are counted.
  const counterKey = portalId ? (people.length === 1 ? `portal:${portalId}` : undefined) : audience.key
  const statuses = [...new Set(search.status ?? [])]
  // Discussion modules don't exist, so this type matches nothing.
  const isDiscussion = search.type === "discussion"
  const filtered = isDiscussion
    ? sql<number>`0`
    : counterKey && !search.nameOrEmail
      ? storedSubmissionCount(counterKey, courseId ?? 0, statuses.length > 0 ? statuses : undefined)
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
        ...(isDiscussion ? [{ test: sql`0` }] : []),
        ...(search.nameOrEmail ? [submissionsOfUsers(usersMatching(search.nameOrEmail))] : []),
        ...(statuses.length > 0 ? [hasStatus(statuses)] : []),
      ],
      ...(counterKey && { total: storedSubmissionCount(counterKey, courseId ?? 0) }),
      ...(filtered && { filtered }),
    },
    query,
  )
  const [rows, totals, groupAccess, courseRows] = await db.batch([
    ...found.statements,
    selectAudienceAccess(db, audience),
    db
      .select({ name: courses.name, featuredImageUrl: courses.featuredImageUrl })
      .from(courses)
      .where(sql`${courses.id} = ${courseId ?? 0} and ${canSeeCourse(caller)}`),
  ])
  const [course] = courseRows
  if (courseId && !course) throw notFound("course")
  if (!firstRow(groupAccess).allowed) throw notFound("group")
  return { course: course ?? { name: "", featuredImageUrl: null }, page: found.read(rows, totals) }
}
