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
  // ISO 8601, so that a client can send back what it read.
  expiry: row.expiresAt > 0 ? new Date(row.expiresAt).toISOString() : null,
  ...("user_ids" in row && { user_ids: row.user_ids, course_ids: row.course_ids, portal_ids: row.portal_ids }),
})

announcements.openapi(
  operation({
    operationId: "createAnnouncement",
    method: "post",
    path: "/api/announcement",
    summary: "Create an announcement and mail it to those whom it is for",
    description: [
      "Disabled users get no mail. With the id of an announcement it is changed instead, as by PUT.",
      "Mails to more than about 1,000 users are written by a background job: the answer has its `jobId`. Each user who",
      "exists when the call is made and is among the readers when the job comes to them gets one mail.",
    ].join(" "),
    tag: "Announcements",
    access: "staff",
    body: schemas.newAnnouncement,
    answer: createdWithJobResponse,
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
    description: "All of them, those that have expired too.",
    tag: "Announcements",
    access: "staff",
    query: schemas.announcementListQuery,
    answer: schemas.announcementList,
  }),
  async (c) =>
    c.json(listPage(c, await listAnnouncements(c.var.db, c.req.valid("query")), announcementColumns.toRow), 200),
)

announcements.openapi(
  operation({
    operationId: "getAnnouncement",
    method: "get",
    path: "/api/announcement/{id}",
    summary: "Read an announcement",
    description: "Below staff: one that is for the caller and has not expired.",
    tag: "Announcements",
    access: "general",
    record: true,
    answer: schemas.announcement,
  }),
  async (c) =>
    c.json(withEtag(c, await getAnnouncement(c.var.db, c.var.caller, c.req.valid("param").id), toAnnouncement), 200),
)

announcements.openapi(
  operation({
    operationId: "updateAnnouncement",
    method: "put",
    path: "/api/announcement/{id}",
    summary: "Change an announcement",
    description: [
      "What is left out stays. It is mailed to those whom it was not for before; more than about 1,000 mails are",
      "written by a background job, whose `jobId` the answer has.",
    ].join(" "),
    tag: "Announcements",
    access: "staff",
    body: schemas.announcementChanges,
    answer: createdWithJobResponse,
    status: 201,
    errors: [409, 412],
  }),
  async (c) => {
    const more = { base: baseUrl(c), demanded: expectedVersion(c) }
    return c.json(await updateAnnouncement(c.var.work, c.req.valid("param").id, c.req.valid("json"), more), 201)
  },
)

announcements.openapi(
  operation({
    operationId: "deleteAnnouncements",
    method: "post",
    path: "/api/announcement/delete",
    summary: "Delete announcements",
    description: [
      "Mails of them that were not sent yet are taken back; more than about 1,000 of them by a background job, whose",
      "`jobId` the answer has.",
    ].join(" "),
    tag: "Announcements",
    access: "staff",
    body: deletionBody,
    answer: changedResponse,
    errors: [409],
  }),
  async (c) => c.json(await deleteAnnouncements(c.var.work, c.req.valid("json").delete_ids), 200),
)

announcements.openapi(
  operation({
    operationId: "listStudentAnnouncements",
    method: "get",
    path: "/api/student/announcements",
    summary: "List the announcements for the caller",
    description: "Those that have not expired. With portalId those for that portal's members, where the caller is one.",
    tag: "Announcements",
    access: "general",
    query: schemas.ownListQuery,
    answer: schemas.ownList,
  }),
  async (c) => {
    const { page, self } = await listOwnAnnouncements(c.var.db, c.var.caller, c.req.valid("query"))
    return c.json({ avatar: self ? avatarOf(self) : "", ...listPage(c, page, ownAnnouncementColumns.toRow) }, 200)
  },
)
