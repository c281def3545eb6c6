import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useEditableRecord } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { CourseImage } from "../../ui/course-image.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { CourseLearners } from "./course-learners.tsx"
import { CourseModules } from "./course-modules.tsx"
import { CourseSettings } from "./course-settings.tsx"
import { CourseSubmissions } from "./course-submissions.tsx"
import { labelFor } from "./labels.ts"
import "./courses.css"

const TABS = {
  settings: CourseSettings,
  modules: CourseModules,
  learners: CourseLearners,
  submissions: CourseSubmissions,
} as const
type TabName = keyof typeof TABS

const Seats = ({ course: { usedSeats, totalSeats } }: { course: Schemas["Course"] }) => (
  <>
    {totalSeats > 0
      ? t("courses:course.seats-used", { used: number(usedSeats), seats: number(totalSeats) })
      : t("courses:course.enrollments", { count: usedSeats, shown: number(usedSeats) })}
  </>
)

/** A course with its tabs. Who can't edit it sees only learners and submissions. */
export default function Course() {
  const me = useMe()
  const id = Number(useRoute().params.id)
  const course = useEditableRecord("/api/course/{id}", { params: { path: { id } } })
  const tabs: readonly TabName[] = hasAccess(me, "staff")
    ? ["settings", "modules", "learners", "submissions"]
    : ["learners", "submissions"]
  const { query } = useUrlState()
  const open = tabs.find((tab) => tab === query.tab) ?? tabs[0] ?? "learners"
  const Tab = TABS[open]
  return (
    <Loaded query={course}>
      {({ record, version }) => (
        <Page title={record.name} parent={{ href: "/console/courses", label: t("courses:courses.title") }}>
          {open !== "settings" && <CourseImage url={record.featuredImageUrl} />}
          <p>
            <span class="badge">{labelFor("status", record.status)}</span> <Seats course={record} />
          </p>
          <Tabs
            label={record.name}
            open={open}
            tabs={tabs.map((tab) => ({ name: tab, title: t(`courses:tab.${tab}`) }))}
          />
          <Tab key={id} record={record} version={version} refetch={course.refetch} />
        </Page>
      )}
    </Loaded>
  )
}
