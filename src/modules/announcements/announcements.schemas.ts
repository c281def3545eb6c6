import { z } from "@hono/zod-openapi"
import { SENDING_RULES } from "../../../drizzle/schema/announcements.ts"
import {
  choice,
  clearable,
  id,
  ids,
  keepIfNone,
  keepIfNull,
  line,
  optional,
  text,
  time,
} from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { html, isEmpty } from "../../lib/text/sanitize.ts"
import { announcementColumns, ownAnnouncementColumns } from "./announcement-columns.ts"

const MAX_USERS = 5000
const MAX_LINKS = 1000

const heading = () =>
  line(255)
    .pipe(z.string().min(1))
    .openapi({ type: "string", minLength: 1, maxLength: 255, description: "One line, also the subject of the email" })
const content = () =>
  html(200_000)
    .refine((content) => !isEmpty(content), { error: "is required as HTML" })
    .openapi({ minLength: 1 })
const sendingRules = () =>
  choice(SENDING_RULES).openapi({
    description: "Everyone, the users of user_ids, or the users enrolled in one of course_ids",
  })

const others = {
  expiry: clearable(time(), 0).openapi({
    type: ["string", "null"],
    format: "date-time",
    description: "When it is hidden from learners; a date without time means 00:00 UTC. null: never",
  }),
  user_ids: keepIfNone(ids(MAX_USERS)).openapi({ description: "For specific_users; a PUT replaces them" }),
  course_ids: keepIfNone(ids(MAX_LINKS)).openapi({ description: "For specific_course_users; a PUT replaces them" }),
  portal_ids: keepIfNone(ids(MAX_LINKS)).openapi({
    description: "Restricts the audience to members of these portals; [] removes the restriction",
  }),
  portalId: optional(id()).openapi({ type: "integer", minimum: 1, description: "An additional portal for portal_ids" }),
}

export const newAnnouncement = z
  .object({
    heading: heading(),
    content: content(),
    sending_rules: sendingRules(),
    ...others,
    id: optional(id()).openapi({
      type: "integer",
      description: "The older format of PUT: the announcement to update",
    }),
  })
  .openapi("NewAnnouncement")
export type NewAnnouncement = z.output<typeof newAnnouncement>

export const announcementChanges = z
  .object({
    heading: keepIfNull(heading()),
    content: keepIfNull(content()),
    sending_rules: keepIfNone(sendingRules()),
    ...others,
  })
  .openapi("AnnouncementChanges")
export type AnnouncementChanges = z.output<typeof announcementChanges>

const links = z.array(z.number().int()).optional()
export const announcement = z
  .object({
    id: z.number().int(),
    heading: z.string(),
    content: z.string(),
    sending_rules: z.enum(SENDING_RULES),
    expiry: z.string().nullable().openapi({ example: "2026-12-31T00:00:00.000Z" }),
    user_ids: links.openapi({ description: "user_ids, course_ids and portal_ids are visible to staff only" }),
    course_ids: links,
    portal_ids: links,
  })
  .openapi("Announcement")

const search = { heading: optional(text(255)) }

export const announcementListQuery = listQuery(Object.keys(announcementColumns.sort), search).omit({ group_id: true })
export const announcementList = listResponse(announcementColumns.row.openapi("AnnouncementRow"))

export const ownListQuery = listQuery(Object.keys(ownAnnouncementColumns.sort), search)
  .omit({ group_id: true })
  .extend({
    viewType: optional(text(50)).openapi({
      type: "string",
      maxLength: 50,
      example: "grid",
      description: "How the client displays the list, as in saveViewType; does not affect the records",
    }),
  })
export const ownList = listResponse(ownAnnouncementColumns.row.openapi("OwnAnnouncementRow")).extend({
  avatar: z.string().openapi({ description: "The caller's avatar: an image URL or initials" }),
})
