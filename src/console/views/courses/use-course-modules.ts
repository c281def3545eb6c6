import { useEffect, useRef, useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { invalidatePaths } from "../../api/queries.ts"
import type { CourseTabProps } from "./course-tab.ts"

/** A module of a course, with its settings there. */
export type CourseModuleRow = Omit<Schemas["Course"]["modules"][number], "slug">

/**
 * Optimistic edits of the modules of a course: shown immediately, sent one after the other, reverted when one fails.
 */
export function useCourseModules({ record: course, version, refetch }: CourseTabProps) {
  const [rows, setRows] = useState<readonly CourseModuleRow[]>(course.modules)
  const [error, setError] = useState<unknown>()
  const pendingRows = useRef<readonly CourseModuleRow[]>()
  const isSending = useRef(false)
  const latestVersion = useRef(version)
  useEffect(() => {
    if (isSending.current) return
    setRows(course.modules)
    latestVersion.current = version
  }, [course.modules, version])

  const refresh = async () => {
    const { data } = await refetch()
    latestVersion.current = data?.version ?? latestVersion.current
    return data?.record ?? course
  }
  /** @returns whether the rows were saved; true if an earlier call still sends */
  const save = async (next: readonly CourseModuleRow[]): Promise<boolean> => {
    setRows(next)
    pendingRows.current = next
    if (isSending.current) return true
    isSending.current = true
    setError(undefined)
    const params = { path: { id: course.id } }
    try {
      while (pendingRows.current) {
        const modules = pendingRows.current.map(
          ({ module_id, required, isLocked, dripDays, minTimeSpent, opensAt }) => ({
            module_id,
            required,
            isLocked,
            dripDays,
            minTimeSpent,
            opensAt,
          }),
        )
        pendingRows.current = undefined
        await api.PUT("/api/course/{id}", { params, body: { modules }, headers: { "If-Match": latestVersion.current } })
        await refresh()
      }
      return true
    } catch (failure) {
      pendingRows.current = undefined
      setError(failure)
      setRows((await refresh()).modules)
      return false
    } finally {
      isSending.current = false
      // The preview, and how many courses use a module. What is open stays, with the version that its form sends.
      invalidatePaths(["/api/course/{id}", "/api/modules"], "none")
    }
  }
  return { rows, error, save }
}
