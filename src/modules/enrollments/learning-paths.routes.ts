import { changedResponse, createdResponse, deletionBody, messageResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { invalid } from "../../lib/errors.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { fullName } from "../../lib/text/words.ts"
import { learnerUrl } from "../../lib/web/academy.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { enrolledPathColumns, pathColumns } from "./learning-path-columns.ts"
import { createPath, deletePaths, getPath, listPaths, updatePath } from "./learning-paths.queries.ts"
import * as schemas from "./learning-paths.schemas.ts"
import { enrollInPaths, listEnrolledPaths, unenrollFromPaths } from "./path-enrollments.queries.ts"

export const learningPaths = createApp()

const tag = "Learning paths"

const toPath = (row: Awaited<ReturnType<typeof getPath>>) => ({
  ...pathColumns.toRow(row),
  course_ids: row.courses.map((course) => course.id),
  courses: row.courses.map(({ id, name }) => ({ id, name })),
})

learningPaths.openapi(
  operation({
    operationId: "createLearningPath",
    method: "post",
    path: "/api/learningpath/create",
    summary: "Create a learning path",
    tag,
    access: "staff",
    extension: true,
    body: schemas.newPath,
    response: createdResponse,
  }),
  async (c) => c.json(await createPath(c.var.work, c.req.valid("json")), 200),
)

learningPaths.openapi(
  operation({
    operationId: "listLearningPaths",
    method: "get",
    path: "/api/learningpath/tabularlist",
    summary: "List learning paths",
    description: "Staff see all paths; others see public paths and those they are enrolled in.",
    tag,
    access: "group_admin",
    extension: true,
    query: schemas.pathListQuery,
    response: schemas.pathList,
  }),
  async (c) =>
    c.json(listPage(c, await listPaths(c.var.db, c.var.caller, c.req.valid("query")), pathColumns.toRow), 200),
)

learningPaths.openapi(
  operation({
    operationId: "getLearningPath",
    method: "get",
    path: "/api/learningpath/{id}",
    summary: "Get a learning path",
    description: "Staff see all paths; others see private paths only if they are enrolled.",
    tag,
    access: "general",
    extension: true,
    record: true,
    response: schemas.path,
  }),
  async (c) => c.json(withEtag(c, await getPath(c.var.db, c.var.caller, c.req.valid("param").id), toPath), 200),
)

learningPaths.openapi(
  operation({
    operationId: "updateLearningPath",
    method: "put",
    path: "/api/learningpath/{id}",
    summary: "Update a learning path",
    description: [
      "course_ids replaces the path's courses. No percentage decreases and completed enrollments stay completed. To",
      "enroll the path's users in an added course, enroll them in the path again. If many users are enrolled, a",
      "background job recounts their progress and the response contains its `jobId`.",
    ].join(" "),
    tag,
    access: "staff",
    extension: true,
    body: schemas.pathChanges,
    response: changedResponse,
    errors: [409, 412],
  }),
  async (c) =>
    c.json(await updatePath(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

learningPaths.openapi(
  operation({
    operationId: "deleteLearningPaths",
    method: "post",
    path: "/api/learningpath/delete",
    summary: "Delete learning paths",
    description: "Paths with enrollments can't be deleted.",
    tag,
    access: "staff",
    extension: true,
    body: deletionBody,
    response: messageResponse,
    errors: [409],
  }),
  async (c) => c.json(await deletePaths(c.var.work, c.req.valid("json").delete_ids), 200),
)

learningPaths.openapi(
  operation({
    operationId: "enrollUsersInLearningPaths",
    method: "post",
    path: "/api/learningpath/enroll",
    summary: "Enroll users in learning paths",
    description: [
      "Also enrolls the users in every course of the paths, up to 20,000 pairs of a user and a course. If a course",
      "has too few seats left, no users are enrolled and the response is 409.",
    ].join(" "),
    tag,
    access: "staff",
    extension: true,
    body: schemas.pathEnrollment,
    response: schemas.pathEnrollmentAnswer,
    errors: [409],
  }),
  async (c) => c.json(await enrollInPaths(c.var.work, c.req.valid("json")), 200),
)

learningPaths.openapi(
  operation({
    operationId: "unenrollUsersFromLearningPaths",
    method: "post",
    path: "/api/learningpath/unenroll",
    summary: "Unenroll users from learning paths",
    description: "The users stay enrolled in the courses and keep their progress.",
    tag,
    access: "staff",
    extension: true,
    body: schemas.pathEnrollment,
    response: schemas.pathUnenrollmentAnswer,
    errors: [409],
  }),
  async (c) => c.json(await unenrollFromPaths(c.var.work, c.req.valid("json")), 200),
)

learningPaths.openapi(
  operation({
    operationId: "listEnrolledLearningPaths",
    method: "get",
    path: "/api/users/enrolled-learningpaths",
    summary: "List a user's learning paths",
    tag: "Learning data",
    access: "general",
    query: schemas.enrolledPathsQuery,
    response: schemas.enrolledPaths,
    errors: [404],
  }),
  async (c) => {
    const { user_id = c.var.caller.id, ...query } = c.req.valid("query")
    if (user_id === null) throw invalid("user_id", "user_id is required.")
    const base = learnerUrl(c.env, baseUrl(c))
    const { user, page } = await listEnrolledPaths(c.var.db, c.var.caller, user_id, query)
    const answer = {
      name: fullName(user),
      email: user.email,
      userType: user.userType,
      avatar: avatarOf(user),
      ...listPage(c, page, (row) => enrolledPathColumns.toRow(row, { base })),
    }
    return c.json(answer, 200)
  },
)
