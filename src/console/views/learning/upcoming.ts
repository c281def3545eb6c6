import type { RecordOf } from "../../../client/index.ts"
import { useListPage } from "../../api/queries.ts"
import { momentOf } from "../../ui/time.tsx"

export type OwnClass = RecordOf<"/api/users/enrolled-classes">

/** The API does not search one's classes by time: the next are among those that begin last. */
const READ = 50
/** A class's times are those of its own clock, which differs from UTC by less. */
const CLOCKS = 15 * 3_600_000

/** Is it on, or still to come? */
const isAhead = ({ end, status }: OwnClass) =>
  status === "Registered" && (momentOf(end)?.getTime() ?? 0) > Date.now() - CLOCKS

/** The caller's next classes, the nearest first. */
export function useUpcoming(count: number) {
  const page = useListPage("/api/users/enrolled-classes", {
    query: { order_by: { colName: "start", direction: "desc" } },
    at: undefined,
    size: READ,
  })
  return { ...page, data: page.data?.records.filter(isAhead).reverse().slice(0, count) }
}
