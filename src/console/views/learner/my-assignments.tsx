import { useQueries } from "@tanstack/preact-query"
import { useMe } from "../../api/me.tsx"
import { reading, useListPage } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Loaded, Problem } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useAddress } from "../../ui/url-state.ts"
import type { CourseModule } from "./module-props.ts"
import type { Registration } from "./my-courses.tsx"
import { courseAddress, State } from "./shared.tsx"

/** Courses whose modules are read at once: the API lists assignments by their course alone. */
const COURSES = 10

/** What is to be done comes first, then what waits for its evaluation. */
const ORDER = ["In Progress", "Not Started", "Submitted", "Completed"]

interface Work {
  registration: Registration
  module: CourseModule
}

const columns = () => [
  {
    key: "name",
    title: t("learner:assignment"),
    render: ({ registration, module }: Work) =>
      module.is_locked || module.is_dripped ? (
        <>
          {module.name}
          <p class="quiet" lang="en" dir="auto">
            {module.lock_reason || module.drip_message}
          </p>
        </>
      ) : (
        <a href={courseAddress(registration.courseId, registration.id, module.module_id)}>{module.name}</a>
      ),
  },
  { key: "course", title: t("learner:course"), render: ({ registration }: Work) => registration.courseName },
  { key: "state", title: t("learner:status"), render: ({ module }: Work) => <State of={module.status} /> },
  {
    key: "last",
    title: t("learner:last-accessed"),
    render: ({ module }: Work) => <Time value={module.last_accessed_on} />,
  },
  {
    key: "points",
    title: t("learner:points-title"),
    numeric: true,
    render: ({ module }: Work) => (module.points_awarded === null ? t("none") : number(module.points_awarded)),
  },
]

/** The assignments of some courses. */
function Assignments({ of }: { of: Registration[] }) {
  const modules = useQueries({
    queries: of.map(({ id }) => reading("/api/course/modules", { params: { query: { registrationId: id } } })),
  })
  const error = modules.find((one) => one.error)?.error
  if (error) return <Problem error={error} />
  if (modules.some(({ data }) => data === undefined))
    return <Loaded of={{ data: undefined, error }}>{() => null}</Loaded>
  const work = of
    .flatMap((registration, at) => (modules[at]?.data ?? []).map((module) => ({ registration, module })))
    .filter(({ module }) => module.type === "assignment")
    .sort((one, other) => ORDER.indexOf(one.module.status) - ORDER.indexOf(other.module.status))
  if (work.length === 0) return <p class="empty">{t("learner:assignments.none")}</p>
  return (
    <Table
      caption={t("nav.my-assignments")}
      columns={columns()}
      rows={work}
      keyOf={({ registration, module }) => `${registration.id}.${module.module_id}`}
    />
  )
}

/** What is to be handed in, and what became of what was. */
export default function MyAssignments() {
  const me = useMe()
  const { query, change } = useAddress()
  const courses = useListPage("/api/users/enrolled-courses", {
    query: { user_id: me.id, manage_course: false },
    at: query.page,
    size: COURSES,
  })
  return (
    <Page title={t("nav.my-assignments")}>
      <Loaded of={courses}>
        {({ records, next, previous }) => (
          <>
            <Assignments of={records} />
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
