import type { DataOf } from "../../../client/index.ts"
import { useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { type Column, Table } from "../../ui/table.tsx"

type RankedUser = DataOf<"/api/user/leaderboard/{id}", "get">["rankedUsers"][number]

const PAGE_SIZE = 50

const columns = (): Column<RankedUser>[] => [
  { key: "rank", title: t("gamification:rank"), numeric: true, render: ({ rank }) => number(rank) },
  { key: "name", title: t("gamification:user"), render: ({ firstName, lastName }) => `${firstName} ${lastName}` },
  { key: "points", title: t("gamification:points"), numeric: true, render: ({ points }) => number(points) },
  { key: "badges", title: t("gamification:badges"), numeric: true, render: ({ badgeCount }) => number(badgeCount) },
]

/** The users with the most points, and the rank of the caller. */
export default function Leaderboard() {
  const { id } = useMe()
  const leaderboard = useRead("/api/user/leaderboard/{id}", {
    params: { path: { id }, query: { page_size: PAGE_SIZE } },
  })
  return (
    <Page title={t("gamification:leaderboard")} parent={{ href: "/console/badges", label: t("gamification:badges") }}>
      <Loaded query={leaderboard}>
        {({ rankedUsers, userRank, userTier }) => (
          <>
            <p>
              {t("gamification:leaderboard.rank", {
                rank: number(userRank),
                tier: t(`gamification:tier.${userTier.toLowerCase()}`),
              })}
            </p>
            <Table
              caption={t("gamification:leaderboard")}
              columns={columns()}
              rows={rankedUsers}
              keyOf={({ id }) => id}
              isNarrow
            />
          </>
        )}
      </Loaded>
    </Page>
  )
}
