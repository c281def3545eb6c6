import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"

/** Queries to refetch after a change of users or enrollments. */
export const USER_QUERIES = [
  ...["/api/user", "/api/course", "/api/class", "/api/membership", "/api/badge", "/api/session", "/api/group"],
  ...["/api/portal", "/api/transcript", "/api/due", "/api/reports"],
]

export const useEnroll = () =>
  useChange({
    call: (body: Schemas["Enrollment"]) => api.POST("/api/course/enroll", { body }),
    invalidates: USER_QUERIES,
  })

export const useUnenroll = () =>
  useChange({
    call: (body: Schemas["Unenrollment"]) => api.POST("/api/course/unenroll", { body }),
    invalidates: USER_QUERIES,
  })

/** Suspends or reactivates users. */
export const useSetSuspended = () =>
  useChange({
    call: ({ ids, disabled }: { ids: number[]; disabled: boolean }) =>
      api.POST("/api/user/quickEdit", { body: { user_ids: ids, disabled } }),
    invalidates: USER_QUERIES,
  })

export const useDeleteUsers = () =>
  useChange({
    call: (delete_ids: number[]) => api.POST("/api/user/delete", { body: { delete_ids } }),
    invalidates: USER_QUERIES,
  })
