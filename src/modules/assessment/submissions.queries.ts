import { eq, type SQL, sql } from "drizzle-orm"
import { courses } from "../../../drizzle/courses.ts"
import { groupMembers, reach } from "../../../drizzle/groups.ts"
import { modules } from "../../../drizzle/modules.ts"
import { portalMembers } from "../../../drizzle/portals.ts"
import { submissions, submissionTallies } from "../../../drizzle/submissions.ts"
import { users } from "../../../drizzle/users.ts"
import { audienceOf } from "../../gate/scope.ts"
import { type Caller, isSupervisor } from "../../lib/access.ts"
import { notFound } from "../../lib/errors.ts"
import { type Database, one } from "../../lib/sql/db.ts"
import { type Filter, type PageQuery, page, sorted } from "../../lib/sql/list.ts"
import { substring } from "../../lib/sql/search.ts"
import { subquery } from "../../lib/sql/sql.ts"
import { mayKnowCourse } from "../catalogue/courses.queries.ts"
import type { SubmissionStatus } from "./submissions.schemas.ts"

/** The submissions of some people, entered by whom they are. */
const ofPeople = (people: SQL, userId: SQL, which: SQL): Filter => ({
  test: sql`${submissions.userId} in (select ${userId} from ${people} where ${which})`,
  ids: sql`select own.id as id from ${people} cross join submissions as own on own.user_id = ${userId} where ${which}`,
})

const ofUser = (column: SQL) => sql`(select ${column} from ${users} where ${users.id} = ${submissions.userId})`

/** What a row shows beside the submission's own columns: looked up with it. */
const fields = {
  id: submissions.id,
  statusRowId: submissions.statusRowId,
  moduleId: submissions.moduleId,
  number: submissions.number,
  status: submissions.status,
  submittedAt: submissions.submittedAt,
  module: subquery(
    sql<string>`(select ${modules.name} from ${modules} where ${modules.id} = ${submissions.moduleId})`,
  ).as("module_name"),
  moduleType: subquery(
    sql<string>`(select ${modules.type} from ${modules} where ${modules.id} = ${submissions.moduleId})`,
  ).as("module_type"),
  course: subquery(
    sql<string>`(select ${courses.name} from ${courses} where ${courses.id} = ${submissions.courseId})`,
  ).as("course_name"),
  firstName: subquery(sql<string>`${ofUser(sql`${users.firstName}`)}`).as("first_name"),
  lastName: subquery(sql<string>`${ofUser(sql`${users.lastName}`)}`).as("last_name"),
  email: subquery(sql<string>`${ofUser(sql`${users.email}`)}`).as("user_email"),
  avatar: subquery(sql<string | null>`${ofUser(sql`${users.avatar}`)}`).as("user_avatar"),
}

/** Each has an index by status, in a course and in all: see decision 83. */
const SORT = {
  submission_id: submissions.id,
  submitted_on: submissions.submittedAt,
  status: submissions.status,
  attempt: submissions.number,
  module_id: submissions.moduleId,
  status_row_id: submissions.statusRowId,
  ...sorted({
    first_name: ofUser(sql`${users.firstNameKey}`),
    last_name: ofUser(sql`${users.lastNameKey}`),
    email: ofUser(sql`${users.email} collate nocase`),
    module_name: sql`(select ${modules.name} collate nocase from ${modules} where ${modules.id} = ${submissions.moduleId})`,
    module_type: sql`(select ${modules.type} from ${modules} where ${modules.id} = ${submissions.moduleId})`,
    course_name: sql`(select ${courses.name} collate nocase from ${courses} where ${courses.id} = ${submissions.courseId})`,
  }),
}

const COLUMN = {
  Submitted: submissionTallies.submitted,
  Accepted: submissionTallies.accepted,
  Returned: submissionTallies.returned,
  Closed: submissionTallies.closed,
} as const
const ALL = Object.keys(COLUMN) as SubmissionStatus[]

/** How many submissions of an audience have one of these statuses: the kept tally. @param courseId 0: in any course */
function tally(audience: string, courseId: number, statuses: SubmissionStatus[]): SQL<number> {
  const columns = sql.join(
    statuses.map((status) => sql`${COLUMN[status]}`),
    sql` + `,
  )
  return sql<number>`coalesce((select ${columns} from ${submissionTallies} where ${submissionTallies.audience} = ${audience} and ${submissionTallies.courseId} = ${courseId}), 0)`
}

/** Submissions in one of these statuses: a part of the list each. The test by itself leaves the choice of an index to others. */
const inStatus = (statuses: SubmissionStatus[]): Filter => ({
  test: sql`+${submissions.status} in (select value from json_each(${JSON.stringify(statuses)}))`,
  parts: statuses.map((status) => ({ test: eq(submissions.status, status) })),
})

/** All of them: the list is read by status. */
const inAnyStatus: Filter = { ...inStatus(ALL), test: sql`1` }

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
export async function listSubmissions(db: Database, caller: Caller, query: SubmissionsQuery) {
  const { course_id: courseId, group_id: groupId, portalId, search_param: search } = query
  const { key, allowed } = audienceOf(caller, groupId)
  const people: Filter[] = [
    ...(groupId
      ? [ofPeople(sql`${groupMembers}`, sql`${groupMembers.userId}`, sql`${groupMembers.groupId} = ${groupId}`)]
      : isSupervisor(caller)
        ? [ofPeople(sql`${reach}`, sql`${reach.userId}`, sql`${reach.supervisorId} = ${caller.id}`)]
        : []),
    ...(portalId
      ? [ofPeople(sql`${portalMembers}`, sql`${portalMembers.userId}`, sql`${portalMembers.portalId} = ${portalId}`)]
      : []),
  ]
  // Two audiences at once have no tally of their own, and are counted.
  const kept = portalId ? (people.length === 1 ? `portal:${portalId}` : undefined) : key
  const statuses = [...new Set(search.status ?? [])]
  // Nothing is a discussion: there are no such modules.
  const nothing = search.type === "discussion"
  const filtered = nothing
    ? sql<number>`0`
    : kept && !search.nameOrEmail
      ? tally(kept, courseId ?? 0, statuses.length > 0 ? statuses : ALL)
      : undefined
  const found = page(
    db,
    {
      table: submissions,
      key: submissions.id,
      fields,
      sort: SORT,
      narrowedBy: "group_id, portalId, a course (course/submissions) or search_param.nameOrEmail",
      defaultSort: { colName: "submitted_on", direction: "desc" },
      scope: [...people, ...(courseId ? [{ test: eq(submissions.courseId, courseId) }] : []), inAnyStatus],
      search: [
        ...(nothing ? [{ test: sql`0` }] : []),
        ...(search.nameOrEmail
          ? [
              ofPeople(
                sql`users_search`,
                sql`users_search.rowid`,
                sql`users_search match ${substring(search.nameOrEmail)}`,
              ),
            ]
          : []),
        ...(statuses.length > 0 ? [inStatus(statuses)] : []),
      ],
      ...(kept && { total: tally(kept, courseId ?? 0, ALL) }),
      ...(filtered && { filtered }),
    },
    query,
  )
  const [rows, totals, may, head] = await db.batch([
    ...found.statements,
    db.select({ allowed: sql<number>`${allowed}`.as("allowed") }).from(sql`(select 1)`),
    db
      .select({ name: courses.name, featuredImageUrl: courses.featuredImageUrl })
      .from(courses)
      .where(sql`${courses.id} = ${courseId ?? 0} and ${mayKnowCourse(caller)}`),
  ])
  const [course] = head
  if (courseId && !course) throw notFound("course")
  if (!one(may).allowed) throw notFound("group")
  return { course: course ?? { name: "", featuredImageUrl: null }, page: found.read(rows, totals) }
}
