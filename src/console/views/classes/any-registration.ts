import { useListPage } from "../../api/queries.ts"

/**
 * Some place in a class of somebody whom the caller may see: by it the API tells a class's recordings, and to those
 * who may not change the class its material.
 * @returns its data is null where there is none
 */
export function useOnePlace(classId: number) {
  const page = useListPage("/api/class/enrolled-students", { query: { class_id: classId }, at: undefined, size: 1 })
  return { data: page.data && (page.data.records[0]?.id ?? null), error: page.error }
}
