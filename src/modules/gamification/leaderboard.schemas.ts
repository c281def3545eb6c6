import { z } from "@hono/zod-openapi"
import { integer, optional } from "../../lib/input/input.ts"

/** The tiers with their minimum points, from the highest. */
export const TIERS = [
  ["Platinum", 5000],
  ["Gold", 1500],
  ["Silver", 500],
  ["Bronze", 100],
  ["Newcomer", 0],
] as const

export const boardQuery = z.object({
  page_size: optional(integer(1, 500))
    .pipe(z.number().default(50))
    .openapi({ type: "integer", minimum: 1, maximum: 500, default: 50, param: { required: false } }),
})

export const board = z
  .object({
    rankedUsers: z.array(
      z.object({
        id: z.number().int(),
        rank: z.number().int(),
        firstName: z.string(),
        lastName: z.string(),
        points: z.number().int(),
        badgeCount: z.number().int().openapi({ description: "Number of badge awards" }),
      }),
    ),
    userTier: z.enum(TIERS.map(([tier]) => tier)),
    userRank: z.number().int(),
  })
  .openapi("Leaderboard")
