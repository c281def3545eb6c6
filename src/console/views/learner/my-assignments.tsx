import { useQueries } from "@tanstack/preact-query"
import { useMe } from "../../api/me.tsx"
import { toQueryOptions, useListPage } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { LockMessage } from "./lock-message.tsx"
import type { CourseModule } from "./module-props.ts"
import type { Enrollment } from "./my-courses.tsx"
import { courseUrl, StatusBadge } from "./shared.tsx"

/** Courses per page: the API lists assignments only by course. */
const COURSES_PER_PAGE = 10

/** Sort order: open assignments first. */
const STATUS_ORDER = ["In Progress", "Not Started", "Submitted", "Completed"]

interface Assignment {
  enrollment: Enrollment
  module: CourseModule
}

const columns = () => [
  {
    key: "name",
    title: t("learner:assignment"),
    render: ({ enrollment, module }: Assignment) =>
      module.is_locked || module.is_dripped ? (
        <>
          {module.name}
          <p class="quiet">
            <LockMessage reason={module.lock_reason || module.drip_message} />
          </p>
        </>
      ) : (
        <a href={courseUrl(enrollment.courseId, enrollment.id, module.module_id)}>{module.name}</a>
      ),
  },
  { key: "course", title: t("learner:course"), render: ({ enrollment }: Assignment) => enrollment.courseName },
  {
    key: "status",
    title: t("learner:status"),
    render: ({ module }: Assignment) => <StatusBadge status={module.status} />,
  },
  {
    key: "last",
    title: t("learner:last-accessed"),
    render: ({ module }: Assignment) => <Time value={module.last_accessed_on} />,
  },
  {
    key: "points",
    title: t("learner:points-title"),
    numeric: true,
    render: ({ module }: Assignment) => (module.points_awarded === null ? t("none") : number(module.points_awarded)),
  },
]

/** The assignments of the enrolled courses on a page. */
function Assignments({ enrollments }: { enrollments: Enrollment[] }) {
  const modules = useQueries({
    queries: enrollments.map(({ id }) =>
      toQueryOptions("/api/course/modules", { params: { query: { registrationId: id } } }),
    ),
  })
  const error = modules.find((query) => query.error)?.error
  if (error) return <ErrorMessage error={error} />
  if (modules.some(({ data }) => data === undefined))
    return <Loaded query={{ data: undefined, error }}>{() => null}</Loaded>
  const assignments = enrollments
    .flatMap((enrollment, index) => (modules[index]?.data ?? []).map((module) => ({ enrollment, module })))
    .filter(({ module }) => module.type === "assignment")
    .sort((a, b) => STATUS_ORDER.indexOf(a.module.status) - STATUS_ORDER.indexOf(b.module.status))
  if (assignments.length === 0) return <p class="empty">{t("learner:assignments.none")}</p>
  return (
    <Table
      caption={t("nav.my-assignments")}
      columns={columns()}
      rows={assignments}
      keyOf={({ enrollment, module }) => `${enrollment.id}.${module.module_id}`}
    />
  )
}

export default function MyAssignments() {
  const me = useMe()
  const { query, change } = useUrlState()
  const courses = useListPage("/api/users/enrolled-courses", {
    query: { user_id: me.id, manage_course: false },
    page: query.page,
    size: COURSES_PER_PAGE,
  })
  return (
    <Page title={t("nav.my-assignments")}>
      <Loaded query={courses}>
        {({ records, next, previous }) => (
          <>
            <Assignments enrollments={records} />
            {(next || previous) && (
              <nav class="pager" aria-label={t("pages.of", { list: t("nav.my-assignments") })}>
                <button type="button" disabled={!previous} onClick={() => change({ page: previous })}>
                  {t("pages.previous")}
                </button>
                <button type="button" disabled={!next} onClick={() => change({ page: next })}>
                  {t("pages.next")}
                </button>
              </nav>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}
