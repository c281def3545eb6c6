import { describe, expect, it } from "vitest"
import { type HalvedAcademy, halvedAcademy, MARCH, NOTHING, NOWHERE } from "../factories/filters.ts"
import { signedIn } from "../factories/index.ts"
import { get, query } from "../helpers/client.ts"

// Every filter of the interface document, including older keys, on every list that has it: a value that matches some
// rows finds exactly these, and a value that matches nothing finds nothing. No filter is ignored.

/** A value of a filter that finds some rows, and a value that finds none. */
type Values = [some: unknown, none: unknown]

interface Filtered {
  path: string
  given?: object
  /** Keys of `search_param`. */
  search?: Record<string, Values>
  /** Parameters of the query. */
  query?: Record<string, Values>
  as?: "ada"
}

const PROGRESS: Values = [["Completed"], ["Not Started"]]
const TEXT = (some: string): Values => [some, NOTHING]
const DAYS: Values = [
  ["2026-01-01", "2026-01-31"],
  ["2001-01-01", "2001-01-02"],
]
/** The first value in the format of clients, with dates in the format of responses. */
const SPELLED_DAYS = [
  "2026-01-01,2026-01-31",
  "Jan 01, 2026,Jan 31, 2026",
  "Jan 01, 2026 12:00 AM, Jan 31, 2026 11:59 PM",
  "2026-01-01, Jan 31, 2026",
  ["Jan 01, 2026", "jan 31, 2026"],
  { from: "Jan 01, 2026", to: "Jan 31, 2026" },
]

/** The lists of the document and their filters. */
const lists = ({ ada, bob, ...of }: HalvedAcademy): Filtered[] => {
  const portalId: Values = [of.here.id, of.away.id]
  const portals: Values = [[of.here.id], [of.away.id]]
  const group_id: Values = [of.team.id, of.alone.id]
  return [
    {
      path: "/api/users/tabularlist",
      search: {
        nameOrEmail: TEXT("byron"),
        membershipId: [of.membershipId, of.unused],
        userCategoryId: [[of.people.id], [of.nobody.id]],
        courseCategoryIds: [[of.mine.id], [of.empty.id]],
        courseName: TEXT("algeb"),
      },
      query: { portalId, group_id },
    },
    { path: "/api/users/getUsersByType", query: { userType: ["staff", "admin"], portalId } },
    { path: "/api/users/lookup", query: { search_term: TEXT("byron"), portalId, userType: ["learner", "admin"] } },
    {
      path: "/api/users/enrolled-courses",
      given: { user_id: ada.id },
      search: { status: PROGRESS, nameOrEmail: TEXT("algeb"), courseId: [of.algebra.id, NOWHERE] },
    },
    {
      path: "/api/users/enrolled-learningpaths",
      given: { user_id: ada.id },
      search: { status: PROGRESS, nameOrEmail: TEXT("whole") },
    },
    { path: "/api/users/portalLearningPaths", as: "ada", search: { name: TEXT("whole"), status: PROGRESS } },
    {
      path: "/api/users/enrolled-classes",
      given: { user_id: ada.id },
      search: { course_id: [of.algebra.id, NOWHERE] },
    },
    {
      path: "/api/user/class/reports",
      search: {
        course: TEXT("botan"),
        status: [["Attended"], ["Cancelled"]],
        started_on: DAYS,
        completed_on: DAYS,
      },
      query: { user_id: [ada.id, of.staff.id], group_id, portalId },
    },
    {
      path: "/api/user-activities",
      given: { context: "admin" },
      search: {
        courseCategoryIds: [[of.mine.id], [of.empty.id]],
        courseName: TEXT("algeb"),
        status: [["COMPLETED"], ["RESET"]],
        portalId,
      },
      query: { user_id: [ada.id, NOWHERE], portalId },
    },
    {
      path: "/api/user-orders",
      given: { context: "admin" },
      query: { user_id: [ada.id, of.staff.id], portalId },
    },
    { path: "/api/user-subscriptions", search: { status: ["Active", "Expired"] } },
    {
      path: "/api/membership/user-contents",
      given: { user_id: ada.id },
      search: { nameOrDescription: TEXT("algeb") },
    },
    {
      path: `/api/user-certificates/${ada.id}`,
      search: { courseName: TEXT("algeb"), courseId: [of.algebra.id, NOWHERE] },
      query: { return_type: ["active", ""] },
    },
    {
      path: "/api/user/reports/user-detailed",
      search: {
        course: TEXT("botan"),
        status: [["Completed"], ""],
        nameOrEmail: TEXT("byron"),
        portalId,
        searchPortalIds: portals,
      },
      query: { user_id: [ada.id, of.first.instructorId], group_id, portalId, searchPortalIds: portals },
    },
    { path: "/api/users/report", query: { registered_between: DAYS, portalId, group_id } },
    {
      path: "/api/user/reports/student-quizzes",
      search: { nameOrEmail: TEXT("byron"), status: [["Completed"], [""]], searchPortalIds: portals, portalId },
      query: { searchPortalIds: portals, portalId, group_id },
    },
    { path: "/api/announcement/tabularlist", search: { heading: TEXT("welc") }, query: { portalId } },
    { path: "/api/student/announcements", as: "ada", search: { heading: TEXT("welc") } },
    { path: "/api/modules/assignment", search: { moduleName: TEXT("essay"), associatedCourse: TEXT("algeb") } },
    {
      path: "/api/audit-activities",
      search: {
        user_id: [ada.id, NOWHERE],
        activityName: ["login", "deleted"],
        dates: DAYS,
        performedOn: TEXT("thing"),
        performed_by: [bob.id, NOWHERE],
      },
      query: { selectedMonth: ["January 2026", "May 2001"], portalId, group_id },
    },
    { path: "/api/badges/tabularlist", search: { title: TEXT("star") } },
    ...["course", "module", "product", "question"].map((type) => ({
      path: `/api/${type}category/tabularlist`,
      search: { categoryName: TEXT("numb") },
    })),
    {
      path: "/api/certificate_templates/tabularlist",
      search: { templateName: TEXT("laur"), courseId: [4, of.botany.id] as Values },
    },
    {
      path: "/api/class/tabularlist",
      search: { location: TEXT("hall"), courseName: TEXT("botan"), instructor: TEXT("tess"), dates: DAYS },
    },
    {
      path: "/api/class/get-class-schedules",
      search: { location: TEXT("hall"), dates: DAYS },
      query: { courseId: [of.botany.id, NOWHERE], classId: [of.first.id, NOWHERE] },
    },
    {
      path: "/api/class/get-course-classes",
      given: { course_id: of.algebra.id },
      search: { location: TEXT("hall"), instructor: TEXT("tess"), dates: DAYS },
    },
    {
      path: "/api/class/enrolled-students",
      given: { class_id: of.first.id },
      search: { nameOrEmail: TEXT("byron"), status: ["Attended", "Cancelled"] },
      query: { group_id },
    },
    {
      path: "/api/class/reports/class-detailed",
      given: { class_id: of.first.id },
      search: {
        nameOrEmail: TEXT("byron"),
        status: ["Attended", "Cancelled"],
        userIdActual: [ada.id, NOWHERE],
        started_on: ["", "2001-01-01"],
        completed_on: ["", "2001-01-01"],
      },
      query: { group_id },
    },
    {
      path: "/api/courses/tabularlist",
      search: {
        courseCategoryIds: [[of.mine.id], [of.empty.id]],
        courseName: TEXT("algeb"),
        status: ["draft", ""],
      },
    },
    {
      path: "/api/course/enrolled-students",
      given: { course_id: of.algebra.id, group_id: "" },
      search: { nameOrEmail: TEXT("byron"), status: PROGRESS },
      query: { group_id },
    },
    {
      path: "/api/course/submissions",
      given: { course_id: of.algebra.id },
      search: { nameOrEmail: TEXT("byron"), type: ["", "discussion"] },
    },
    { path: "/api/course/all-submissions", search: { nameOrEmail: TEXT("byron"), type: ["", "discussion"] } },
    {
      path: "/api/course/reports/course-detailed",
      given: { course_id: of.algebra.id },
      search: { nameOrEmail: TEXT("byron"), status: PROGRESS },
      query: { group_id },
    },
  ]
}

describe("every documented filter", () => {
  it("finds matching records, and none if nothing matches", { timeout: 180_000 }, async () => {
    const scene = await halvedAcademy()
    const owner = await signedIn("owner", { firstName: "Olga", lastName: "Owner", createdAt: MARCH })
    const wrong: string[] = []
    for (const { path, given = {}, search = {}, query: parameters = {}, as } of lists(scene)) {
      const { token } = as ? scene.ada : owner
      const found = async (more: object) => {
        const { status, body } = await get(`${path}${query({ page_size: 100, page_number: 1, ...given, ...more })}`, {
          token,
        })
        // A filter by a record that the caller cannot see finds nothing either.
        if (status === 404) return 0
        expect(status, `${path} ${JSON.stringify(more)} ${JSON.stringify(body)}`).toBe(200)
        const rows = body.records ?? body.learningPaths ?? body.classes
        if (body.recordsFiltered !== undefined) expect(body.recordsFiltered, JSON.stringify(more)).toBe(rows.length)
        return rows.length
      }
      const all = await found({})
      if (all < 2) wrong.push(`${path} has ${all} rows`)
      const cases = [
        ...Object.entries(search).map(([key, values]) => ({
          key,
          values,
          wrap: (value: unknown) => ({ search_param: { [key]: value } }),
        })),
        ...Object.entries(parameters).map(([key, values]) => ({
          key,
          values,
          wrap: (value: unknown) => ({ [key]: value }),
        })),
      ]
      for (const { key, values, wrap } of cases) {
        const [some, none] = values
        if (some !== "") {
          const n = await found(wrap(some))
          if (n < 1 || n >= all) wrong.push(`${path} ${key} ${JSON.stringify(some)} finds ${n} of ${all}`)
        }
        if (values === DAYS)
          for (const spelled of SPELLED_DAYS) {
            const n = await found(wrap(spelled))
            if (n !== (await found(wrap(some)))) wrong.push(`${path} ${key} ${JSON.stringify(spelled)} finds ${n}`)
          }
        if (none === "" || (Array.isArray(none) && none[0] === "")) continue
        const n = await found(wrap(none))
        if (n !== 0) wrong.push(`${path} ${key} ${JSON.stringify(none)} finds ${n} of ${all}, for nothing`)
      }
    }
    expect(wrong).toEqual([])
  })

  it("does not find a user by another user's name", async () => {
    const { ada, staff } = await halvedAcademy()
    for (const [path, mine] of [
      ["/api/users/enrolled-courses", 2],
      ["/api/users/enrolled-learningpaths", 2],
    ] as const)
      for (const [nameOrEmail, found] of [
        ["byron", mine],
        ["stone", 0],
      ] as const) {
        const asked = { page_size: 10, page_number: 1, user_id: ada.id, search_param: { nameOrEmail } }
        const { body } = await get(`${path}${query(asked)}`, { token: staff.token })
        expect(body.recordsFiltered, `${path} ${nameOrEmail}`).toBe(found)
      }
  })
})
