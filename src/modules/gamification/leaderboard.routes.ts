import { createApp, operation } from "../../http/operation.ts"
import { getLeaderboard } from "./leaderboard.queries.ts"
import * as schemas from "./leaderboard.schemas.ts"

export const leaderboard = createApp()

type Board = Awaited<ReturnType<typeof getLeaderboard>>
type Row = Board["top"][number]

const initial = (name: string) => (name ? `${[...name][0]}.` : "")

/** People whom the caller has no reason to know show as initials. */
const toRanked = ({ known, ...row }: Row, rank: number) => ({
  id: row.id,
  rank,
  firstName: known ? row.firstName : initial(row.firstName),
  lastName: known ? row.lastName : initial(row.lastName),
  points: row.points,
  badgeCount: row.badgeCount,
})

function toBoard({ user, top }: Board) {
  const ranked = top.map((row) => toRanked(row, top.findIndex((first) => first.points === row.points) + 1))
  const { rank: userRank, ...own } = user
  return {
    rankedUsers: ranked.some((row) => row.id === user.id)
      ? ranked
      : [...ranked, toRanked({ ...own, known: 1 }, userRank)],
    userTier: (schemas.TIERS.find(([, from]) => user.points >= from) ?? schemas.TIERS[4])[0],
    userRank,
  }
}

leaderboard.openapi(
  operation({
    operationId: "getLeaderboard",
    method: "get",
    path: "/api/user/leaderboard/{id}",
    summary: "Read the leaderboard, and where a user stands on it",
    description: [
      [
        "The users with the most points among all that are not disabled, page_size of them (50 unless given), and the",
        "user who is asked for.",
      ].join(" "),
      "Equal points share a rank, and the next rank counts them all: 1, 2, 2, 4; they stand in the order of their ids.",
      `Tiers: ${schemas.TIERS.map(([tier, from]) => `${tier} from ${from} points`).join(", ")}.`,
      "Below staff, users who share no group or portal with the caller show as initials.",
    ].join(" "),
    tag: "Badges",
    access: "general",
    query: schemas.boardQuery,
    answer: schemas.board,
  }),
  async (c) => {
    const { page_size: size } = c.req.valid("query")
    return c.json(toBoard(await getLeaderboard(c.var.db, c.var.caller, c.req.valid("param").id, size)), 200)
  },
)
