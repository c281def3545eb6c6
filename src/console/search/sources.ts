import type { ListPath, RecordOf } from "../../client/index.ts"
import type { Access } from "../../lib/caller.ts"
import type { Me } from "../api/me.tsx"
import { fetchListPage } from "../api/queries.ts"
import { wallTimeText } from "../ui/wall-time.tsx"

/** A page or record that the search found. */
export interface Result {
  href: string
  name: string
  hint?: string
}

/** A list that is searched. */
export interface Source {
  /** The message key of its heading. */
  label: string
  /** The minimum role that may read the list. */
  access: Access
  find: (text: string, me: Me, signal: AbortSignal) => Promise<Result[]>
}

const MAX_RESULTS = 5

const source = <Path extends ListPath>(
  label: string,
  access: Access,
  path: Path,
  searchBy: string,
  toResult: (row: RecordOf<Path>) => Result,
  fixed: (me: Me) => object = () => ({}),
): Source => ({
  label,
  access,
  find: async (text, me, signal) => {
    const query = { ...fixed(me), search_param: { [searchBy]: text } }
    const request = { query, page: undefined, size: MAX_RESULTS }
    return (await fetchListPage(path, request, signal)).records.map(toResult)
  },
})

export const SOURCES: readonly Source[] = [
  source(
    "nav.my-courses",
    "general",
    "/api/users/enrolled-courses",
    "nameOrEmail",
    ({ id, courseId, courseName }) => ({ href: `/console/learning/${courseId}/${id}`, name: courseName }),
    ({ id }) => ({ user_id: id, manage_course: false }),
  ),
  source(
    "nav.users",
    "group_admin",
    "/api/users/tabularlist",
    "nameOrEmail",
    ({ id, first_name, last_name, email }) => ({
      href: `/console/users/${id}`,
      name: `${first_name} ${last_name}`.trim() || email,
      hint: email,
    }),
  ),
  source("nav.courses", "group_admin", "/api/courses/tabularlist", "courseName", ({ id, name }) => ({
    href: `/console/courses/${id}`,
    name,
  })),
  source("nav.learning-paths", "group_admin", "/api/learningpath/tabularlist", "name", ({ id, name }) => ({
    href: `/console/learning-paths/${id}`,
    name,
  })),
  source("nav.classes", "group_admin", "/api/class/tabularlist", "courseName", (row) => ({
    href: `/console/classes/${row.id}`,
    name: row.course_name,
    hint: wallTimeText({ value: row.start_time, zone: row.timeZone }),
  })),
  source("nav.groups", "group_admin", "/api/group/tabularlist", "name", ({ id, name }) => ({
    href: `/console/groups/${id}`,
    name,
  })),
  source("nav.portals", "group_admin", "/api/portal/tabularlist", "name", ({ id, name }) => ({
    href: `/console/portals/${id}`,
    name,
  })),
]
