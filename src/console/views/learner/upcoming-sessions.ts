import type { DataOf, RecordOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"

export type OwnClass = RecordOf<"/api/users/enrolled-classes">
export type OwnSession = DataOf<"/api/users/class-sessions", "get">["sessions"][number]

const DAY = 86_400_000
/** Days ahead in which sessions are looked for. */
const AHEAD = 60

/** The caller's next sessions, the nearest first; one that goes on is among them. */
export function useUpcoming(count: number) {
  // Whole days: so a minute later the same is asked.
  const today = Math.floor(Date.now() / DAY) * DAY
  const dates = [today - DAY, today + AHEAD * DAY].map((at) => new Date(at).toISOString())
  const { data, error } = useRead("/api/users/class-sessions", { params: { query: { dates } } })
  const isAhead = ({ end_time, status }: OwnSession) => status === "Registered" && Date.parse(end_time) > Date.now()
  return { error, data: data?.sessions.filter(isAhead).slice(0, count) }
}
