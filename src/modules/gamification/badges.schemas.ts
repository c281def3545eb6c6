import { z } from "@hono/zod-openapi"
import { clearable, id, integer, name, optional, requiredIds, text } from "../../lib/input/input.ts"
import { envelope, listQuery } from "../../lib/input/list-query.ts"
import { badgeColumns, badgeDetails } from "./badge-columns.ts"

/** The icons that come with the service: each is drawn in icons/, and served as an asset. */
export const DEFAULT_ICONS = ["star", "trophy", "medal", "book", "flame", "heart", "shield", "lightning"] as const

/** The most points that one award can give. */
export const MOST_POINTS = 1_000_000

const iconUrl = () =>
  text(2000)
    .pipe(z.string().regex(/^(https?:\/\/|\/(?!\/))\S+$/i, { error: "must be an image's http(s) URL or a path" }))
    .openapi({ type: "string", format: "uri" })

export const newBadge = z
  .object({
    title: name(),
    badgeIconUrl: iconUrl(),
    points: clearable(integer(0, MOST_POINTS), 0).openapi({
      type: "integer",
      minimum: 0,
      maximum: MOST_POINTS,
      description: "What each award of it gives; 0 unless given",
    }),
    defaultIconUrl: clearable(iconUrl()).openapi({ type: ["string", "null"] }),
    organizationId: clearable(
      z.union([z.number().int().positive(), text(100).refine((given) => given !== "0")]),
    ).openapi({
      type: ["string", "integer", "null"],
      description: "The client's own, answered as given",
    }),
  })
  .openapi("NewBadge")
export type NewBadge = z.output<typeof newBadge>

export const badge = badgeDetails.row.openapi("Badge")

export const badgeListQuery = listQuery(Object.keys(badgeColumns.sort), { title: optional(text(100)) })
export const badgeList = envelope(badgeColumns.row.openapi("BadgeRow"))

export const badgeDeletion = z.object({ id: requiredIds() }).openapi("BadgeDeletion")
export const award = z.object({ id: id(), user_ids: requiredIds() }).openapi("BadgeAward")
export const awarded = z.object({
  message: z.string(),
  awarded: z.number().int(),
  skipped: z.number().int().openapi({ description: "Ids of no user" }),
})

export const defaultIcons = z.array(z.object({ value: z.string(), url: z.string() }))

export const userBadges = z.array(
  badgeDetails.row
    .extend({ count: z.number().int().openapi({ description: "How often the user earned it" }) })
    .openapi("UserBadge"),
)
