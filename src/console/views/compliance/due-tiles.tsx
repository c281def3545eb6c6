import type { DataOf } from "../../../client/index.ts"
import { Tile } from "../../ui/tile.tsx"
import { dueStatusLabel } from "./statuses.tsx"

const TILES = [
  ["overdue", "overdue"],
  ["due_soon", "dueSoon"],
  ["on_track", "onTrack"],
  ["exempt", "exempt"],
] as const

interface DueTilesProps {
  counts: DataOf<"/api/due/summary", "get">
  label: string
  /** The status that the list below shows. */
  current?: string | undefined
}

/** The numbers of enrollments by due status, each with a link to its list. */
export const DueTiles = ({ counts, label, current }: DueTilesProps) => (
  <ul class="tiles" aria-label={label}>
    {TILES.map(([status, count]) => (
      <Tile
        key={status}
        href={`/due?dueStatus=${status}`}
        label={dueStatusLabel(status)}
        value={counts[count]}
        status={status}
        isCurrent={current === status}
      />
    ))}
  </ul>
)
