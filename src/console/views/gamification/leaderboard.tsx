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
  { key: "rank", title: t("rewards:rank"), numeric: true, render: ({ rank }) => number(rank) },
  { key: "name", title: t("rewards:user"), render: ({ firstName, lastName }) => `${firstName} ${lastName}` },
  { key: "points", title: t("rewards:points"), numeric: true, render: ({ points }) => number(points) },
  { key: "badges", title: t("rewards:badges"), numeric: true, render: ({ badgeCount }) => number(badgeCount) },
]

/** Those with the most points, and where the caller stands. */
export default function Leaderboard() {
  const { id } = useMe()
  const board = useRead("/api/user/leaderboard/{id}", { params: { path: { id }, query: { page_size: SHOWN } } })
  return (
    <Page title={t("rewards:leaderboard")} within={{ href: "/console/badges", label: t("rewards:badges") }}>
      <Loaded of={board}>
        {({ rankedUsers, userRank, userTier }) => (
          <>
            <p>{t("rewards:leaderboard.rank", { rank: number(userRank), tier: userTier })}</p>
            <Table caption={t("rewards:leaderboard")} columns={columns()} rows={rankedUsers} keyOf={({ id }) => id} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
