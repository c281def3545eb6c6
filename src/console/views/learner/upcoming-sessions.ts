import type { DataOf, RecordOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"

export type EnrolledClass = RecordOf<"/api/users/enrolled-classes">
export type EnrolledSession = DataOf<"/api/users/class-sessions", "get">["sessions"][number]

const DAY_MS = 86_400_000
const DAYS_AHEAD = 60

/** The caller's current and next sessions, soonest first. */
export function useUpcomingSessions(count: number) {
  // Full days, so that the query key stays stable.
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  const dates = [today - DAY_MS, today + DAYS_AHEAD * DAY_MS].map((timestamp) => new Date(timestamp).toISOString())
  const { data, error } = useRead("/api/users/class-sessions", { params: { query: { dates } } })
  const isUpcoming = ({ end_time, status }: EnrolledSession) =>
    status === "Registered" && Date.parse(end_time) > Date.now()
  return { error, data: data?.sessions.filter(isUpcoming).slice(0, count) }
}
