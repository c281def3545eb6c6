import { Minus, TrendingDown, TrendingUp } from "lucide-preact"
import type { DataOf } from "../../../client/index.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Tile } from "../../ui/tile.tsx"

export type StaffHomeData = DataOf<"/api/home", "get">

interface TrendProps {
  current: number
  previous: number
}

/** The change since the previous period. */
function Trend({ current, previous }: TrendProps) {
  const change = current - previous
  const Icon = change > 0 ? TrendingUp : change < 0 ? TrendingDown : Minus
  const share = previous > 0 ? percent(Math.abs(change) / previous) : number(Math.abs(change))
  const direction = change > 0 ? "up" : change < 0 ? "down" : "same"
  return (
    <span class={`trend ${direction}`}>
      <Icon size={14} aria-hidden />
      {t(`home:trend.${direction}`, { share })}
    </span>
  )
}

/** The numbers of the academy: what is due, and the activity of the last 30 days with its trend. */
export const Activity = ({ home }: { home: StaffHomeData }) => (
  <section aria-label={t("home:numbers")}>
    <ul class="tiles">
      <Tile href="/due?dueStatus=overdue" label={t("due-status.overdue")} value={home.overdue} status="overdue" />
      <Tile href="/due?dueStatus=due_soon" label={t("due-status.due-soon")} value={home.dueSoon} status="due_soon" />
      {(["enrolled", "started", "completed"] as const).map((what) => (
        <Tile key={what} href="/reports" label={t(`home:activity.${what}`)} value={home[what].current}>
          <Trend {...home[what]} />
        </Tile>
      ))}
    </ul>
    <p class="quiet below-tiles">{t("home:activity.about")}</p>
  </section>
)
