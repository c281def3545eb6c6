import { idByExternalId } from "../../db/external-ids.ts"
import type { Bindings } from "../../env.ts"
import { changedResponse, createdResponse } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { hasRole } from "../../lib/caller.ts"
import { externalIdQuery } from "../../lib/input/external-id.ts"
import { academyZone } from "../../lib/text/zones.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { classColumns, courseClassColumns, sessionColumns } from "./class-columns.ts"
import { deleteClass, deleteCourseClasses } from "./class-deletion.queries.ts"
import { classDetails } from "./class-fields.ts"
import { listClasses, listCourseClasses } from "./class-lists.queries.ts"
import { listClassLocations, listClassSessions } from "./class-schedule.queries.ts"
import { createClass, getClass, updateClass } from "./classes.queries.ts"
import * as schemas from "./classes.schemas.ts"

export const classes = createApp()

classes.openapi(
  operation({
    operationId: "createClass",
    method: "post",
    path: "/api/class/create",
    summary: "Create a class",
    description: [
      "A onetime class requires starttime and endTime; a recurring class takes its dates from recurrence.",
      "The instructor can be any enabled user.",
      "Upload study material first.",
    ].join(" "),
    tag: "Classes",
    access: "staff",
    body: schemas.newClass,
    response: createdResponse,
    errors: [409],
  }),
  async (c) => c.json(await createClass(c.var.work, c.req.valid("json")), 200),
)

const toDetails =
  (env: Bindings) =>
  ({ material, externalId, externalIds, ...row }: Awaited<ReturnType<typeof getClass>>) => ({
    classDetails: {
      ...classDetails.toRow(row, { env }),
      externalId,
      externalIds,
      studyMaterial: material.map(({ id, name, extension }) => ({ media_id: id, name, type: extension })),
    },
  })

classes.openapi(
  operation({
    operationId: "getClass",
    method: "get",
    path: "/api/class/edit",
    summary: "Get a class for editing",
    description: "`POST /api/class/update` accepts the returned `classDetails`.",
    tag: "Classes",
    access: "staff",
    query: schemas.editQuery,
    record: true,
    response: schemas.classDetails,
    errors: [404],
  }),
  async (c) => {
    const { classId, courseId } = c.req.valid("query")
    return c.json(withEtag(c, await getClass(c.var.work, classId, courseId), toDetails(c.env)), 200)
  },
)

classes.openapi(
  operation({
    operationId: "getClassByExternalId",
    method: "get",
    path: "/api/class/by-external-id",
    summary: "Retrieve a class by external id",
    description: "The response is that of `GET /api/class/edit`.",
    tag: "Classes",
    access: "staff",
    record: true,
    extension: true,
    query: externalIdQuery,
    response: schemas.classDetails,
    errors: [404],
  }),
  async (c) => {
    const id = idByExternalId("class", c.var.caller, c.req.valid("query"))
    return c.json(withEtag(c, await getClass(c.var.work, id), toDetails(c.env)), 200)
  },
)

classes.openapi(
  operation({
    operationId: "updateClass",
    method: "post",
    path: "/api/class/update",
    summary: "Update a class",
    description: [
      "id or classId selects the class. Omitted fields keep their values.",
      "A recurrence makes the class recurring and replaces its sessions.",
      "The type onetime reduces a recurring class to one session: the first, or that of startTime and endTime.",
      "If only timeZone changes, the wall times stay the same.",
      "A new location needs enough seats for everyone who is enrolled.",
      "If the times or the location of a class change that has not ended, its users are notified.",
    ].join(" "),
    tag: "Classes",
    access: "staff",
    query: schemas.updateQuery,
    body: schemas.classChanges,
    response: changedResponse,
    errors: [404, 409, 412],
  }),
  async (c) => {
    const { id, changes } = schemas.toClassChange(c.req.valid("json"), c.req.valid("query"))
    return c.json(await updateClass(c.var.work, baseUrl(c), id, changes, expectedVersion(c)), 200)
  },
)

classes.openapi(
  operation({
    operationId: "deleteClass",
    method: "post",
    path: "/api/class/delete",
    summary: "Delete a class with its enrollments",
    tag: "Classes",
    access: "staff",
    description: "A class with many enrollments is deleted in a background job; the response includes its `jobId`.",
    body: schemas.classDeletion,
    response: changedResponse,
    errors: [404],
  }),
  async (c) => c.json(await deleteClass(c.var.work, c.req.valid("json").classId), 200),
)

classes.openapi(
  operation({
    operationId: "deleteCourseClasses",
    method: "post",
    path: "/api/class/delete-course-classes",
    summary: "Delete all classes of a course with their enrollments",
    description:
      "The message says how many classes and enrollments were deleted. Large deletions run in a background job; the " +
      "response includes its `jobId`.",
    tag: "Classes",
    access: "staff",
    body: schemas.courseClassesDeletion,
    response: changedResponse,
    errors: [404],
  }),
  async (c) => c.json(await deleteCourseClasses(c.var.work, c.req.valid("json").courseId), 200),
)

const GROUP_SCOPE = "group_id limits the list to courses in which the group has seats."
const DATES = "dates are in the academy's time zone."
const SCOPE = `${GROUP_SCOPE} portalId limits it to courses in which members of the portal are enrolled.`

classes.openapi(
  operation({
    operationId: "listClasses",
    method: "get",
    path: "/api/class/tabularlist",
    summary: "List classes",
    description: `${SCOPE} ${DATES}`,
    tag: "Classes",
    access: "group_admin",
    query: schemas.classListQuery,
    response: schemas.classList,
    errors: [404],
  }),
  async (c) => {
    const context = { caller: c.var.caller, base: baseUrl(c), isAbleToEdit: hasRole(c.var.caller, "staff") }
    const found = await listClasses(c.var.db, c.var.caller, c.req.valid("query"), academyZone(c.env))
    return c.json(
      listPage(c, found, (row) => classColumns.toRow(row, context)),
      200,
    )
  },
)

classes.openapi(
  operation({
    operationId: "listClassSchedules",
    method: "get",
    path: "/api/class/get-class-schedules",
    summary: "List the sessions of classes",
    description: [
      "Returns one row per session, in the order of their starts. Dates and times are in the time zone of each class;",
      "start_time and end_time are instants.",
      `${SCOPE} ${DATES}`,
    ].join(" "),
    tag: "Classes",
    access: "group_admin",
    query: schemas.scheduleQuery,
    response: schemas.schedules,
    errors: [404],
  }),
  async (c) => {
    const found = await listClassSessions(c.var.db, c.var.caller, c.req.valid("query"), academyZone(c.env))
    const { records } = listPage(c, found, sessionColumns.toRow)
    return c.json({ classes: records }, 200)
  },
)

classes.openapi(
  operation({
    operationId: "listCourseClasses",
    method: "get",
    path: "/api/class/get-course-classes",
    summary: "List a course's classes",
    description: `${SCOPE} ${DATES}`,
    tag: "Classes",
    access: "group_admin",
    query: schemas.courseClassesQuery,
    response: schemas.courseClasses,
    errors: [404],
  }),
  async (c) => {
    const { course, page } = await listCourseClasses(c.var.db, c.var.caller, c.req.valid("query"), academyZone(c.env))
    const answer = {
      courseName: course.name,
      instructions: course.instructions,
      featuredImage: course.featuredImageUrl,
    }
    return c.json({ ...answer, ...listPage(c, page, courseClassColumns.toRow) }, 200)
  },
)

classes.openapi(
  operation({
    operationId: "lookUpCourseLocations",
    method: "get",
    path: "/api/courses/locations/lookup",
    summary: "List the locations of classes",
    description: `Covers one course, or all courses without course_id. ${GROUP_SCOPE}`,
    tag: "Courses",
    access: "general",
    query: schemas.locationsQuery,
    response: schemas.courseLocations,
    errors: [404],
  }),
  async (c) => {
    const query = c.req.valid("query")
    const { records } = listPage(c, await listClassLocations(c.var.db, c.var.caller, query), (row) => ({
      id: row.id,
      name: row.name,
      courseId: row.courseId,
      classId: row.classId,
    }))
    return c.json(Object.fromEntries(records.entries()), 200)
  },
)
