import { idByExternalId } from "../../db/external-ids.ts"
import { changedResponse, createdResponse, deletionBody } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { externalIdQuery } from "../../lib/input/external-id.ts"
import { sum } from "../../lib/numbers.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { courseColumns, courseDetailColumns } from "./course-columns.ts"
import { getCoursesOverview, listCourses, listGroupCourses } from "./course-lists.queries.ts"
import { createCourse, deleteCourses, getCourse, updateCourse } from "./courses.queries.ts"
import * as schemas from "./courses.schemas.ts"

export const courses = createApp()

const toCourse = (row: Awaited<ReturnType<typeof getCourse>>) => ({
  ...courseDetailColumns.toRow(row),
  externalId: row.externalId,
  externalIds: row.externalIds,
  enrollmentKeyRequired: row.enrollmentKeyRequired,
  enrollmentKey: row.enrollmentKey,
  categoryIds: row.categoryIds,
  prerequisites: row.prerequisites,
  modules: row.modules.map((module) => ({
    module_id: module.moduleId,
    name: module.name,
    slug: module.slug,
    type: module.type,
    required: module.required,
    isLocked: module.isLocked,
    dripDays: module.dripDays,
    minTimeSpent: module.minTimeSpent,
    opensAt: module.opensAt,
  })),
})

courses.openapi(
  operation({
    operationId: "createCourse",
    method: "post",
    path: "/api/course/create",
    summary: "Create a course",
    tag: "Courses",
    access: "staff",
    extension: true,
    body: schemas.newCourse,
    response: createdResponse,
    errors: [409],
  }),
  async (c) => c.json(await createCourse(c.var.work, c.req.valid("json")), 200),
)

courses.openapi(
  operation({
    operationId: "listCourses",
    method: "get",
    path: "/api/courses/tabularlist",
    summary: "List courses",
    description: [
      "Staff also see drafts. group_id limits the list to courses in which the group has seats, portalId to courses in",
      "which the portal's members are enrolled. Callers below staff must administer the group and the portal.",
    ].join(" "),
    tag: "Courses",
    access: "group_admin",
    query: schemas.courseListQuery,
    response: schemas.courseList,
  }),
  async (c) => {
    const { db, caller } = c.var
    const found = await listCourses(db, caller, c.req.valid("query"))
    return c.json(
      listPage(c, found, (row) => courseColumns.toRow(row, { caller })),
      200,
    )
  },
)

courses.openapi(
  operation({
    operationId: "listGroupCourses",
    method: "get",
    path: "/api/courses/dropdownlist",
    summary: "List a group's courses",
    tag: "Courses",
    access: "group_admin",
    query: schemas.dropdownQuery,
    response: schemas.dropdown,
    errors: [404],
  }),
  async (c) => {
    const found = await listGroupCourses(c.var.db, c.var.caller, c.req.valid("query"))
    const { records } = listPage(c, found, (row) => ({
      id: row.id,
      name: row.name,
      used_seats: row.usedSeats,
      total_seats: row.totalSeats,
    }))
    return c.json(records, 200)
  },
)

courses.openapi(
  operation({
    operationId: "getCoursesOverview",
    method: "get",
    path: "/api/course/reports/overview",
    summary: "Count enrollments by status for each course",
    description:
      "Counts all learners for staff, supervised learners for group and portal administrators, or one group's members.",
    tag: "Courses",
    access: "group_admin",
    query: schemas.courseOverviewQuery,
    response: schemas.courseOverview,
    errors: [404],
  }),
  async (c) => {
    const rows = await getCoursesOverview(c.var.db, c.var.caller, c.req.valid("query").group_id)
    const totalNotStarted = rows.map((row) => row.notStarted)
    const totalInProgress = rows.map((row) => row.inProgress)
    const totalCompleted = rows.map((row) => row.completed)
    const answer = {
      labels: rows.map((row) => row.name),
      totalNotStarted,
      totalInProgress,
      totalCompleted,
      sumNotStarted: sum(totalNotStarted),
      sumInProgress: sum(totalInProgress),
      sumCompleted: sum(totalCompleted),
    }
    return c.json(answer, 200)
  },
)

courses.openapi(
  operation({
    operationId: "getCourse",
    method: "get",
    path: "/api/course/{id}",
    summary: "Get a course",
    description: "Only staff see drafts.",
    tag: "Courses",
    access: "general",
    extension: true,
    record: true,
    response: schemas.course,
  }),
  async (c) => c.json(withEtag(c, await getCourse(c.var.work, c.req.valid("param").id), toCourse), 200),
)

courses.openapi(
  operation({
    operationId: "updateCourse",
    method: "put",
    path: "/api/course/{id}",
    summary: "Update a course",
    description: [
      "modules replaces the course's modules and recounts enrollments. No percentage decreases, and completed",
      "enrollments stay completed. If there are many, a background job recounts them " +
        "and the response contains its `jobId`.",
    ].join(" "),
    tag: "Courses",
    access: "staff",
    extension: true,
    body: schemas.courseChanges,
    response: changedResponse,
    errors: [409, 412],
  }),
  async (c) => {
    const { id } = c.req.valid("param")
    return c.json(await updateCourse(c.var.work, id, c.req.valid("json"), expectedVersion(c)), 200)
  },
)

courses.openapi(
  operation({
    operationId: "deleteCourses",
    method: "post",
    path: "/api/course/delete",
    summary: "Delete courses",
    description:
      "Courses with enrollments can't be deleted. If a course has many reviews or activities, a " +
      "background job deletes " +
      "it and the response contains its `jobId`.",
    tag: "Courses",
    access: "staff",
    extension: true,
    body: deletionBody,
    response: changedResponse,
  }),
  async (c) => c.json(await deleteCourses(c.var.work, c.req.valid("json").delete_ids), 200),
)

courses.openapi(
  operation({
    operationId: "getCourseByExternalId",
    method: "get",
    path: "/api/course/by-external-id",
    summary: "Retrieve a course by external id",
    description: "The response is that of `GET /api/course/{id}`.",
    tag: "Courses",
    access: "staff",
    record: true,
    extension: true,
    query: externalIdQuery,
    response: schemas.course,
    errors: [404],
  }),
  async (c) => {
    const found = await getCourse(c.var.work, idByExternalId("course", c.var.caller, c.req.valid("query")))
    return c.json(withEtag(c, found, toCourse), 200)
  },
)
