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
    answer: createdResponse,
  }),
  async (c) => c.json(await createPath(c.var.work, c.req.valid("json")), 200),
)

learningPaths.openapi(
  operation({
    operationId: "listLearningPaths",
    method: "get",
    path: "/api/learningpath/tabularlist",
    summary: "List learning paths",
    description: "Below staff the public ones, and those that the caller takes.",
    tag,
    access: "group_admin",
    extension: true,
    query: schemas.pathListQuery,
    answer: schemas.pathList,
  }),
  async (c) =>
    c.json(listPage(c, await listPaths(c.var.db, c.var.caller, c.req.valid("query")), pathColumns.toRow), 200),
)

learningPaths.openapi(
  operation({
    operationId: "getLearningPath",
    method: "get",
    path: "/api/learningpath/{id}",
    summary: "Read a learning path",
    description: "Below staff a private one is for those enrolled alone.",
    tag,
    access: "general",
    extension: true,
    record: true,
    answer: schemas.path,
  }),
  async (c) => c.json(withEtag(c, await getPath(c.var.db, c.var.caller, c.req.valid("param").id), toPath), 200),
)

learningPaths.openapi(
  operation({
    operationId: "updateLearningPath",
    method: "put",
    path: "/api/learningpath/{id}",
    summary: "Change a learning path",
    description: [
      "course_ids replaces its courses: no percent falls and no Completed is undone. Users of the path are",
      "enrolled in a course added by enrolling them in the path again. Where many users are enrolled, a job recounts",
      "their progress, and the answer has its `jobId`.",
    ].join(" "),
    tag,
    access: "staff",
    extension: true,
    body: schemas.pathChanges,
    answer: changedResponse,
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
    description: "One with enrollments is kept.",
    tag,
    access: "staff",
    extension: true,
    body: deletionBody,
    answer: messageResponse,
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
      "And in every course of these. Where a course has too few seats left, nobody is enrolled: 409. Up to 20,000",
      "pairs of a user and a course.",
    ].join(" "),
    tag,
    access: "staff",
    extension: true,
    body: schemas.pathEnrollment,
    answer: schemas.pathEnrollmentAnswer,
    errors: [409],
  }),
  async (c) => c.json(await enrollInPaths(c.var.work, c.req.valid("json")), 200),
)

learningPaths.openapi(
  operation({
    operationId: "unenrollUsersFromLearningPaths",
    method: "post",
    path: "/api/learningpath/unenroll",
    summary: "End registrations in learning paths",
    description: "Registrations in the courses, and what was done in them, stay.",
    tag,
    access: "staff",
    extension: true,
    body: schemas.pathEnrollment,
    answer: schemas.pathUnenrollmentAnswer,
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
    answer: schemas.enrolledPaths,
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
