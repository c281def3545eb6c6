import { createApp, operation } from "../../http/operation.ts"
import { getLeaderboard } from "./leaderboard.queries.ts"
import * as schemas from "./leaderboard.schemas.ts"
import { requestRefresh } from "./leaderboard-refresh.ts"

export const leaderboard = createApp()

type Leaderboard = Awaited<ReturnType<typeof getLeaderboard>>
type Row = Leaderboard["top"][number]

const initial = (name: string) => (name ? `${[...name][0]}.` : "")

/** Shows initials of users whose names the caller cannot see. */
const toRankedUser = ({ known, ...row }: Row, rank: number) => ({
  id: row.id,
  rank,
  firstName: known ? row.firstName : initial(row.firstName),
  lastName: known ? row.lastName : initial(row.lastName),
  points: row.points,
  badgeCount: row.badgeCount,
})

function toLeaderboard({ user, top }: Leaderboard) {
  const ranked = top.map((row) => toRankedUser(row, top.findIndex((first) => first.points === row.points) + 1))
  const { rank: userRank, ...own } = user
  return {
    rankedUsers: ranked.some((row) => row.id === user.id)
      ? ranked
      : [...ranked, toRankedUser({ ...own, known: 1 }, userRank)],
    userTier: (schemas.TIERS.find(([, from]) => user.points >= from) ?? schemas.TIERS[4])[0],
    userRank,
  }
}

leaderboard.openapi(
  operation({
    operationId: "getLeaderboard",
    method: "get",
    path: "/api/user/leaderboard/{id}",
    summary: "Get the leaderboard and a user's rank",
    description: [
      [
        "Returns the page_size users with the most points that are not disabled (50 by default), and the requested",
        "user.",
      ].join(" "),
      "Users with equal points share a rank (1, 2, 2, 4) and are ordered by id.",
      `Tiers: ${schemas.TIERS.map(([tier, from]) => `${tier} from ${from} points`).join(", ")}.`,
      "Below staff, users who share no group or portal with the caller are shown as initials.",
    ].join(" "),
    tag: "Badges",
    access: "general",
    query: schemas.boardQuery,
    response: schemas.board,
  }),
  async (c) => {
    const { page_size: size } = c.req.valid("query")
    const found = await getLeaderboard(c.var.db, c.var.caller, c.req.valid("param").id, size)
    if (found.isDue) requestRefresh(c.env)
    return c.json(toLeaderboard(found), 200)
  },
)
