import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { RecordPicker } from "./record-picker.tsx"

const parseId = (text: string | undefined) => (text && /^[1-9]\d*$/.test(text) ? Number(text) : undefined)

const parseIds = (text: string | undefined) => (text ?? "").split(",").flatMap((part) => parseId(part) ?? [])

/** The URL parameters of the filters below. */
export const MATRIX_FILTERS = ["group", "rule", "courses"] as const

/** The filters of the matrix by courses, group and rule, which the URL stores. */
export function useMatrixFilters() {
  const { query } = useUrlState()
  return { courseIds: parseIds(query.courses), groupId: parseId(query.group), ruleId: parseId(query.rule) }
}

/** Selects the courses, the group and the rule of the matrix. */
export function MatrixFilters() {
  const { change } = useUrlState()
  const { courseIds, groupId, ruleId } = useMatrixFilters()
  const group = useRead(
    "/api/group/{id}",
    { params: { path: { id: groupId ?? 0 } } },
    { enabled: groupId !== undefined },
  )
  const rule = useRead(
    "/api/assignment-rule/{id}",
    { params: { path: { id: ruleId ?? 0 } } },
    { enabled: ruleId !== undefined },
  )
  const update = (params: Record<string, string | number | undefined>) =>
    change({ ...params, page: undefined }, { replace: true })
  return (
    <>
      <Combobox
        name="group"
        label={t("compliance:group")}
        path="/api/group/tabularlist"
        searchBy="name"
        toChoice={({ id, name }) => ({ id, name })}
        value={groupId && group.data ? { id: groupId, name: group.data.name } : undefined}
        onSelect={(selected) => update({ group: selected?.id })}
      />
      <Combobox
        name="rule"
        label={t("compliance:rule")}
        path="/api/assignment-rule/tabularlist"
        searchBy="name"
        toChoice={({ id, name }) => ({ id, name })}
        value={ruleId && rule.data ? { id: ruleId, name: rule.data.name } : undefined}
        onSelect={(selected) => update({ rule: selected?.id })}
      />
      <details class="filters-more">
        <summary>
          {courseIds.length > 0
            ? t("compliance:matrix.courses", { count: courseIds.length, shown: number(courseIds.length) })
            : t("compliance:matrix.choose-courses")}
        </summary>
        <RecordPicker
          name="courseIds"
          label={t("compliance:courses")}
          path="/api/courses/tabularlist"
          record="/api/course/{id}"
          searchBy="courseName"
          toChoice={({ id, name }) => ({ id, name })}
          ids={courseIds}
          onSelect={(ids) => update({ courses: ids.join(",") })}
        />
      </details>
    </>
  )
}
