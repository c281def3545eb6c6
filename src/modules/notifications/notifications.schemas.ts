import { z } from "@hono/zod-openapi"
import { MAIL_FREQUENCIES, NOTIFICATION_KINDS } from "../../../drizzle/schema/notifications.ts"
import { boolean, choice, integer, nonEmpty, optional, requiredIds, requiredText } from "../../lib/input/input.ts"

export const listQuery = z.object({
  page_size: optional(integer(1, 100)).openapi({ type: "integer", description: "Default: 20" }),
  cursor: optional(requiredText(100)).openapi({ type: "string", description: "`nextCursor` of the page before" }),
})
export type ListQuery = z.output<typeof listQuery>

const notification = z
  .object({
    id: z.number().int(),
    kind: z.enum(NOTIFICATION_KINDS),
    title: z.string().openapi({ description: "One line in the person's language" }),
    message: z
      .object({ sender: z.string(), text: z.string() })
      .nullable()
      .openapi({ description: "For the kind message; else null" }),
    path: z.string().openapi({ description: "The path in the console that it opens" }),
    readAt: z.string().nullable().openapi({ format: "date-time", description: "null: unread" }),
    createdAt: z.string().openapi({ format: "date-time" }),
  })
  .openapi("Notification")

export const notificationList = z.object({
  unread: z.number().int().openapi({ description: "The number of unread notifications, 100 at most" }),
  records: z.array(notification),
  nextCursor: z.string().nullable().openapi({ description: "For the next page; null: there is none" }),
})

export const readBody = z.object({ ids: nonEmpty(requiredIds(500)) })

const preference = z.object({
  kind: z.enum(NOTIFICATION_KINDS),
  mail: z.enum(MAIL_FREQUENCIES),
  inApp: z.boolean().openapi({ description: "Whether the list of notifications has it" }),
  required: z.boolean().openapi({ description: "Whether it cannot be switched off" }),
  listed: z.boolean().openapi({ description: "false: the list of notifications never has it" }),
})
export const preferenceList = z.object({ records: z.array(preference) })

export const preferenceChanges = z.object({
  records: nonEmpty(
    z.array(
      z.object({
        kind: requiredText(50).openapi({ type: "string", enum: [...NOTIFICATION_KINDS] }),
        mail: optional(choice(MAIL_FREQUENCIES)).openapi({ type: "string", enum: [...MAIL_FREQUENCIES] }),
        inApp: optional(boolean()).openapi({ type: "boolean" }),
      }),
    ),
  ),
})
export type PreferenceChanges = z.output<typeof preferenceChanges>
