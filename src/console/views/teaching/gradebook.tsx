import { Users } from "lucide-preact"
import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import type { CourseTabProps } from "../courses/course-tab.ts"
import { ExportButton } from "../exports/export-button.tsx"
import { EXPORT_PATHS, STATUS_LABELS } from "../exports/export-kinds.ts"
import { GroupFilter } from "../reports/group-filter.tsx"
import { ENROLLMENT_STATUSES } from "../users/statuses.ts"
import { MessageDialog } from "./dialogs.ts"
import { type GradebookRow, GradeCell, type GradedModule, GradeLegend } from "./grade-cell.tsx"
import "./teaching.css"

const nameOf = ({ first_name, last_name }: GradebookRow) => `${first_name} ${last_name}`

const columns = (courseId: number, modules: readonly GradedModule[]): Column<GradebookRow>[] => [
  {
    key: "name",
    title: t("teaching:learner"),
    sort: "last_name",
    sticky: true,
    render: (row) => <a href={`/console/users/${row.user_id}`}>{nameOf(row)}</a>,
  },
  {
    key: "total",
    title: t("teaching:total"),
    sort: "percent_achieved",
    numeric: true,
    render: ({ percent_achieved, pointsAwarded, pointsPossible }) =>
      percent_achieved === null ? (
        <span class="quiet">–</span>
      ) : (
        <>
          <strong>{percent(percent_achieved / 100)}</strong>{" "}
          <small class="quiet">
            {t("teaching:points", { points: number(pointsAwarded), of: number(pointsPossible) })}
          </small>
        </>
      ),
  },
  ...modules.map(
    (module, index): Column<GradebookRow> => ({
      key: `module-${module.id}`,
      title: t("teaching:module-points", { name: module.name, points: number(module.totalPoints) }),
      render: ({ grades }) => <GradeCell grade={grades[index]} module={module} courseId={courseId} />,
    }),
  ),
]

const FORMATS = ["xlsx", "csv"] as const

/** Exports the gradebook with the filters of the list. */
function ExportButtons({ courseId, groupId }: { courseId: number; groupId: number | undefined }) {
  const { query } = useUrlState()
  const status = ENROLLMENT_STATUSES.find((value) => value === query.status)
  const filter = {
    search_param: {
      courseId,
      ...(query.nameOrEmail && { nameOrEmail: query.nameOrEmail }),
      ...(status && { status: [status] }),
    },
    ...(groupId !== undefined && { group_id: groupId }),
  }
  return (
    <div class="actions gradebook-actions">
      {FORMATS.map((format) => (
        <ExportButton
          key={format}
          kind="gradebook"
          label={t(`teaching:export.${format}`)}
          start={() => api.POST(EXPORT_PATHS.gradebook, { body: { ...filter, format } })}
        />
      ))}
    </div>
  )
}

/** The learners of a course and their grades in each graded module. */
export default function Gradebook({ record: course }: CourseTabProps) {
  const { query } = useUrlState()
  const groupId = Number(query.group) || undefined
  const [selected, setSelected] = useState<{ rows: readonly GradebookRow[]; clear: () => void }>()
  return (
    <div class="gradebook">
      <ExportButtons courseId={course.id} groupId={groupId} />
      <Listing
        path="/api/reports/gradebook"
        caption={t("teaching:gradebook")}
        columns={({ modules }) => columns(course.id, modules)}
        query={{ course_id: course.id, ...(groupId !== undefined && { group_id: groupId }) }}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        ownFilters={{ names: ["group"], fields: <GroupFilter label={t("teaching:group")} groupId={groupId} /> }}
        filters={[
          { name: "nameOrEmail", label: t("teaching:search") },
          {
            name: "status",
            label: t("teaching:status"),
            options: Object.entries(STATUS_LABELS).map(([value, label]) => ({ value, label: t(label) })),
            toApi: (status) => [status],
          },
        ]}
        empty={{
          icon: Users,
          text: t("teaching:gradebook.empty"),
          action: { label: t("courses:tab.learners"), href: `/courses/${course.id}?tab=learners` },
        }}
        actions={(rows, clear) => (
          <button type="button" onClick={() => setSelected({ rows, clear })}>
            {t("teaching:action.message")}
          </button>
        )}
      >
        {({ modules, modulesOmitted }) => (
          <>
            {modules.length === 0 && <p class="notice">{t("teaching:gradebook.no-modules")}</p>}
            {modulesOmitted > 0 && (
              <p class="notice">{t("teaching:gradebook.omitted", { shown: number(modulesOmitted) })}</p>
            )}
          </>
        )}
      </Listing>
      <GradeLegend />
      {selected && (
        <MessageDialog
          people={selected.rows.map((row) => ({ id: row.user_id, name: nameOf(row) }))}
          onDone={selected.clear}
          onClose={() => setSelected(undefined)}
        />
      )}
    </div>
  )
}
