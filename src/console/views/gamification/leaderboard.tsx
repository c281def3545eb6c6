import type { DataOf } from "../../../client/index.ts"
import { useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { type Column, Table } from "../../ui/table.tsx"

type Ranked = DataOf<"/api/user/leaderboard/{id}", "get">["rankedUsers"][number]

const SHOWN = 50

const columns = (): Column<Ranked>[] => [
  { key: "rank", title: t("gamification:rank"), numeric: true, render: ({ rank }) => number(rank) },
  { key: "name", title: t("gamification:user"), render: ({ firstName, lastName }) => `${firstName} ${lastName}` },
  { key: "points", title: t("gamification:points"), numeric: true, render: ({ points }) => number(points) },
  { key: "badges", title: t("gamification:badges"), numeric: true, render: ({ badgeCount }) => number(badgeCount) },
]

/** Those with the most points, and where the caller stands. */
export default function Leaderboard() {
  const { id } = useMe()
  const board = useRead("/api/user/leaderboard/{id}", { params: { path: { id }, query: { page_size: SHOWN } } })
  return (
    <Page title={t("gamification:leaderboard")} within={{ href: "/console/badges", label: t("gamification:badges") }}>
      <Loaded of={board}>
        {({ rankedUsers, userRank, userTier }) => (
          <>
            <p>{t("gamification:leaderboard.rank", { rank: number(userRank), tier: userTier })}</p>
            <Table
              caption={t("gamification:leaderboard")}
              columns={columns()}
              rows={rankedUsers}
              keyOf={({ id }) => id}
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}
