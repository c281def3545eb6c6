import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"

/** What is read anew after a change of people or of their enrollments. */
export const PEOPLE = ["/api/user", "/api/course", "/api/class", "/api/membership", "/api/badge", "/api/session"]

export const useEnroll = () =>
  useChange({
    call: (body: Schemas["Enrollment"]) => api.POST("/api/course/enroll", { body }),
    changes: PEOPLE,
  })

export const useUnenroll = () =>
  useChange({
    call: (body: Schemas["Unenrollment"]) => api.POST("/api/course/unenroll", { body }),
    changes: PEOPLE,
  })

/** Disables or enables users. */
export const useDisable = () =>
  useChange({
    call: ({ ids, disabled }: { ids: number[]; disabled: boolean }) =>
      api.POST("/api/user/quickEdit", { body: { user_ids: ids, disabled } }),
    changes: PEOPLE,
  })

export const useDeleteUsers = () =>
  useChange({
    call: (delete_ids: number[]) => api.POST("/api/user/delete", { body: { delete_ids } }),
    changes: PEOPLE,
  })
