import { useListPage } from "../../api/queries.ts"

/**
 * The id of any registration in a class that the caller may see. The API requires one to read the recordings of a class
 * and, for supervisors, its materials.
 * @returns `data` is null if there is none
 */
export function useAnyRegistrationId(classId: number) {
  const page = useListPage("/api/class/enrolled-students", { query: { class_id: classId }, page: undefined, size: 1 })
  return { data: page.data && (page.data.records[0]?.id ?? null), error: page.error }
}
