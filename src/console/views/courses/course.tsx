import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { may, useMe } from "../../api/me.tsx"
import { useRecord } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Picture } from "../../ui/course-image.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { useAddress } from "../../ui/url-state.ts"
import { CourseLearners } from "./course-learners.tsx"
import { CourseModules } from "./course-modules.tsx"
import { CourseSettings } from "./course-settings.tsx"
import { CourseSubmissions } from "./course-submissions.tsx"
import { wordOf } from "./labels.ts"
import "./courses.css"

const PARTS = {
  settings: CourseSettings,
  modules: CourseModules,
  learners: CourseLearners,
  submissions: CourseSubmissions,
} as const
type Part = keyof typeof PARTS

const Seats = ({ course: { usedSeats, totalSeats } }: { course: Schemas["Course"] }) => (
  <>
    {totalSeats > 0
      ? t("courses:course.seats-used", { used: number(usedSeats), seats: number(totalSeats) })
      : t("courses:course.enrollments", { count: usedSeats, shown: number(usedSeats) })}
  </>
)

/** A course and all that belongs to it. Those who may not change it see its people alone. */
export default function Course() {
  const me = useMe()
  const id = Number(useRoute().params.id)
  const course = useRecord("/api/course/{id}", { params: { path: { id } } })
  const parts: readonly Part[] = may(me, "staff")
    ? ["settings", "modules", "learners", "submissions"]
    : ["learners", "submissions"]
  const { query } = useAddress()
  const open = parts.find((part) => part === query.tab) ?? parts[0] ?? "learners"
  const Open = PARTS[open]
  return (
    <Loaded of={course}>
      {({ record, version }) => (
        <Page title={record.name} within={{ href: "/console/courses", label: t("courses:courses.title") }}>
          {open !== "settings" && <Picture url={record.featuredImageUrl} />}
          <p>
            <span class="badge">{wordOf("status", record.status)}</span> <Seats course={record} />
          </p>
          <Tabs
            label={record.name}
            open={open}
            tabs={parts.map((part) => ({ name: part, title: t(`courses:tab.${part}`) }))}
          />
          <Open key={id} record={record} version={version} reread={course.refetch} />
        </Page>
      )}
    </Loaded>
  )
}
