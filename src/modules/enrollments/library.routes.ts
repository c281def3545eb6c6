import { createApp, operation } from "../../http/operation.ts"
import { learnerUrl } from "../../lib/web/academy.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { listLibraryCourses, listLibraryPaths } from "./library.queries.ts"
import * as schemas from "./library.schemas.ts"
import {
  libraryCourseColumns,
  libraryPathColumns,
  membershipCourseColumns,
  membershipModuleColumns,
  portalPathColumns,
} from "./library-columns.ts"
import { listMembershipCourses, listMembershipModules } from "./library-contents.queries.ts"

export const library = createApp()

library.openapi(
  operation({
    operationId: "listPortalLearningPaths",
    method: "get",
    path: "/api/users/portalLearningPaths",
    summary: "List available learning paths with the caller's progress",
    description: "Public paths and private paths that the caller is enrolled in; all paths for staff.",
    tag: "Learning data",
    access: "general",
    query: schemas.portalPathsQuery,
    response: schemas.portalPaths,
  }),
  async (c) => {
    const base = learnerUrl(c.env, baseUrl(c))
    const found = await listLibraryPaths(c.var.db, c.var.caller, c.req.valid("query"), portalPathColumns)
    const { records, recordsTotal, recordsFiltered } = listPage(c, found, (row) =>
      portalPathColumns.toRow(row, { base, enrollment: row.enrollment }),
    )
    return c.json({ learningPaths: records, totalRecords: recordsTotal, recordsFiltered }, 200)
  },
)

library.openapi(
  operation({
    operationId: "listLibraryLearningPaths",
    method: "get",
    path: "/api/users/library-learningpaths",
    summary: "List the library's learning paths",
    description: "The same list as portalLearningPaths, for a signed-in user.",
    tag: "Learning data",
    access: "general",
    signedIn: true,
    query: schemas.libraryPathsQuery,
    response: schemas.libraryPaths,
  }),
  async (c) => {
    const base = learnerUrl(c.env, baseUrl(c))
    const found = await listLibraryPaths(c.var.db, c.var.caller, c.req.valid("query"), libraryPathColumns)
    const answer = listPage(c, found, (row) => libraryPathColumns.toRow(row, { base, enrollment: row.enrollment }))
    return c.json(answer, 200)
  },
)

library.openapi(
  operation({
    operationId: "listLibraryCourses",
    method: "get",
    path: "/api/users/library-courses",
    summary: "List the library's courses",
    description: "Published courses, with the caller's enrollment in each.",
    tag: "Learning data",
    access: "general",
    signedIn: true,
    query: schemas.libraryCoursesQuery,
    response: schemas.libraryCourses,
  }),
  async (c) => {
    const found = await listLibraryCourses(c.var.db, c.var.caller, c.req.valid("query"))
    const base = learnerUrl(c.env, baseUrl(c))
    const answer = listPage(c, found, (row) => libraryCourseColumns.toRow(row, { base, enrollment: row.enrollment }))
    return c.json(answer, 200)
  },
)

library.openapi(
  operation({
    operationId: "listMembershipContents",
    method: "get",
    path: "/api/membership/user-contents",
    summary: "List the content of a user's membership",
    description: [
      "Returns the membership's published courses, or with type `modules` their modules; recordsTotal counts both. The",
      "list is empty after the membership expires. Anonymous requests without user_id list the " +
        "content of all memberships.",
    ].join(" "),
    tag: "Learning data",
    access: "general",
    query: schemas.contentsQuery,
    response: schemas.contents,
    errors: [404],
  }),
  async (c) => {
    const { user_id = c.var.caller.id, ...query } = c.req.valid("query")
    const { list, columns } =
      query.search_param.type === "modules"
        ? { list: listMembershipModules, columns: membershipModuleColumns }
        : { list: listMembershipCourses, columns: membershipCourseColumns }
    const answer = listPage(c, await list(c.var.db, c.var.caller, user_id, query), columns.toRow)
    return c.json(answer, 200)
  },
)
