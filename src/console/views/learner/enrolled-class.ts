import type { DataOf, RecordOf } from "../../../client/index.ts"

export type EnrolledClass = RecordOf<"/api/users/enrolled-classes">
export type EnrolledSession = DataOf<"/api/users/class-sessions", "get">["sessions"][number]
