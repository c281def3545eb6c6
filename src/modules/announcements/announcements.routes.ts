import { changedResponse, createdWithJobResponse, deletionBody } from "../../http/crud.ts"
import { createApp, operation } from "../../http/operation.ts"
import { avatarOf } from "../../lib/input/person.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { announcementColumns, ownAnnouncementColumns } from "./announcement-columns.ts"
import { listAnnouncements, listOwnAnnouncements } from "./announcement-lists.queries.ts"
import {
  createAnnouncement,
  deleteAnnouncements,
  getAnnouncement,
  updateAnnouncement,
} from "./announcements.queries.ts"
import * as schemas from "./announcements.schemas.ts"

export const announcements = createApp()

const toAnnouncement = (row: Awaited<ReturnType<typeof getAnnouncement>>) => ({
  id: row.id,
  heading: row.heading,
  content: row.content,
  sending_rules: row.rule,
  // ISO 8601, so that clients can send back what they read.
  expiry: row.expiresAt > 0 ? new Date(row.expiresAt).toISOString() : null,
  ...("user_ids" in row && { user_ids: row.user_ids, course_ids: row.course_ids, portal_ids: row.portal_ids }),
})

announcements.openapi(
  operation({
    operationId: "createAnnouncement",
    method: "post",
    path: "/api/announcement",
    summary: "Create an announcement and email it to its audience",
    description: [
      "Disabled users get no email. With the id of an existing announcement, that announcement is updated, as by PUT.",
      "Emails to more than about 1,000 users are queued by a background job, " +
        "and the response has its `jobId`. Each user",
      "who exists at the time of the request and is in the audience when the job reaches them gets one email.",
    ].join(" "),
    tag: "Announcements",
    access: "staff",
    body: schemas.newAnnouncement,
    response: createdWithJobResponse,
    errors: [404, 409],
  }),
  async (c) => c.json(await createAnnouncement(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)

announcements.openapi(
  operation({
    operationId: "listAnnouncements",
    method: "get",
    path: "/api/announcement/tabularlist",
    summary: "List announcements",
    description: "Includes expired announcements.",
    tag: "Announcements",
    access: "staff",
    query: schemas.announcementListQuery,
    response: schemas.announcementList,
  }),
  async (c) =>
    c.json(listPage(c, await listAnnouncements(c.var.db, c.req.valid("query")), announcementColumns.toRow), 200),
)

announcements.openapi(
  operation({
    operationId: "getAnnouncement",
    method: "get",
    path: "/api/announcement/{id}",
    summary: "Retrieve an announcement",
    description: "Below staff: only the caller's own unexpired announcements.",
    tag: "Announcements",
    access: "general",
    record: true,
    response: schemas.announcement,
  }),
  async (c) =>
    c.json(withEtag(c, await getAnnouncement(c.var.db, c.var.caller, c.req.valid("param").id), toAnnouncement), 200),
)

announcements.openapi(
  operation({
    operationId: "updateAnnouncement",
    method: "put",
    path: "/api/announcement/{id}",
    summary: "Update an announcement",
    description: [
      "Omitted fields keep their values. Only users who are new in the audience get an email; more " +
        "than about 1,000 emails",
      "are queued by a background job, and the response has its `jobId`.",
    ].join(" "),
    tag: "Announcements",
    access: "staff",
    body: schemas.announcementChanges,
    response: createdWithJobResponse,
    status: 201,
    errors: [409, 412],
  }),
  async (c) => {
    const options = { base: baseUrl(c), expectedVersion: expectedVersion(c) }
    return c.json(await updateAnnouncement(c.var.work, c.req.valid("param").id, c.req.valid("json"), options), 201)
  },
)

announcements.openapi(
  operation({
    operationId: "deleteAnnouncements",
    method: "post",
    path: "/api/announcement/delete",
    summary: "Delete announcements",
    description: [
      "Emails that were not sent yet are canceled; more than about 1,000 of them by a background job, and the response",
      "has its `jobId`.",
    ].join(" "),
    tag: "Announcements",
    access: "staff",
    body: deletionBody,
    response: changedResponse,
    errors: [409],
  }),
  async (c) => c.json(await deleteAnnouncements(c.var.work, c.req.valid("json").delete_ids), 200),
)

announcements.openapi(
  operation({
    operationId: "listStudentAnnouncements",
    method: "get",
    path: "/api/student/announcements",
    summary: "List the caller's announcements",
    description:
      "Only unexpired announcements. With portalId, those for members of that portal if the caller is a member.",
    tag: "Announcements",
    access: "general",
    query: schemas.ownListQuery,
    revalidated: true,
    response: schemas.ownList,
  }),
  async (c) => {
    const { page, self } = await listOwnAnnouncements(c.var.db, c.var.caller, c.req.valid("query"))
    return c.json({ avatar: self ? avatarOf(self) : "", ...listPage(c, page, ownAnnouncementColumns.toRow) }, 200)
  },
)
