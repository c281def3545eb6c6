import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"

/** What is read anew after a change of people or of their enrolments. */
export const PEOPLE = ["/api/user", "/api/course", "/api/class", "/api/membership", "/api/badge", "/api/session"]

export const useEnrol = () =>
  useChange({
    call: (body: Schemas["Enrolment"]) => api.POST("/api/course/enroll", { body }),
    changes: PEOPLE,
  })

export const useUnenrol = () =>
  useChange({
    call: (body: Schemas["Unenrolment"]) => api.POST("/api/course/unenroll", { body }),
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
