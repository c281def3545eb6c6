import { z } from "@hono/zod-openapi"
import { id, optional, requiredIds, text } from "../../lib/input/input.ts"
import { listQuery, listResponse } from "../../lib/input/list-query.ts"
import { badgeColumns, badgeDetails, badgeFields } from "./badge-fields.ts"

/** The built-in icons in icons/, which are served as assets. */
export const DEFAULT_ICONS = ["star", "trophy", "medal", "book", "flame", "heart", "shield", "lightning"] as const

export const newBadge = z.object(badgeFields.create).openapi("NewBadge")
export type NewBadge = z.output<typeof newBadge>

export const badge = badgeDetails.row.openapi("Badge")

export const badgeListQuery = listQuery(Object.keys(badgeColumns.sort), { title: optional(text(100)) })
export const badgeList = listResponse(badgeColumns.row.openapi("BadgeRow"))

export const badgeDeletion = z.object({ id: requiredIds() }).openapi("BadgeDeletion")
export const award = z.object({ id: id(), user_ids: requiredIds() }).openapi("BadgeAward")
export const awarded = z.object({
  message: z.string(),
  awarded: z.number().int(),
  skipped: z.number().int().openapi({ description: "Unknown user ids" }),
})

export const defaultIcons = z.array(z.object({ value: z.string(), url: z.string() }))

export const userBadges = z.array(
  badgeDetails.row
    .extend({ count: z.number().int().openapi({ description: "How often the user earned it" }) })
    .openapi("UserBadge"),
)
