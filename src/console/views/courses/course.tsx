import { Eye, UserPlus } from "lucide-preact"
import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { CourseImage } from "../../ui/course-image.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { Tabs } from "../../ui/tabs.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { AtRisk, Gradebook } from "../teaching/tabs.ts"
import { CourseLearners } from "./course-learners.tsx"
import { CourseModules } from "./course-modules.tsx"
import { CourseSettings } from "./course-settings.tsx"
import { CourseSubmissions } from "./course-submissions.tsx"
import type { CourseTabProps } from "./course-tab.ts"
import { InviteDialog } from "./invite-dialog.tsx"
import { labelFor } from "./labels.ts"
import "./courses.css"

const TABS = {
  modules: CourseModules,
  learners: CourseLearners,
  gradebook: Gradebook,
  "at-risk": AtRisk,
  submissions: CourseSubmissions,
  settings: CourseSettings,
} as const
type TabName = keyof typeof TABS

const Seats = ({ course: { usedSeats, totalSeats } }: { course: Schemas["Course"] }) => (
  <>
    {totalSeats > 0
      ? t("courses:course.seats-used", { used: number(usedSeats), seats: number(totalSeats) })
      : t("courses:course.enrollments", { count: usedSeats, shown: number(usedSeats) })}
  </>
)

/** Publishes a draft, or turns a published course into a draft. */
function PublishButton({ record, version, refetch }: CourseTabProps) {
  const isDraft = record.status === "draft"
  const change = useChange({
    call: () =>
      refetchOnConflict(
        () =>
          api.PUT("/api/course/{id}", {
            params: { path: { id: record.id } },
            body: { status: isDraft ? "publish" : "draft" },
            headers: { "If-Match": version },
          }),
        refetch,
      ),
    invalidates: ["/api/course/{id}", "/api/courses/tabularlist"],
    successMessage: t(isDraft ? "courses:publish.done" : "courses:unpublish.done"),
  })
  return (
    <>
      <button
        type="button"
        class={isDraft ? "primary" : undefined}
        disabled={change.isPending}
        onClick={() => change.mutate(undefined)}
      >
        {t(isDraft ? "courses:publish" : "courses:unpublish")}
      </button>
      <ErrorMessage error={change.error} />
    </>
  )
}

/** What staff do with a course: the next step is the primary one. */
function CourseActions(props: CourseTabProps) {
  const { record } = props
  const { query, change } = useUrlState()
  return (
    <>
      <a class="button with-icon" href={`/console/courses/${record.id}/preview`}>
        <Eye size={16} aria-hidden /> {t("courses:preview")}
      </a>
      <button
        type="button"
        class={record.status === "draft" ? "with-icon" : "primary with-icon"}
        onClick={() => change({ invite: 1 })}
      >
        <UserPlus size={16} aria-hidden /> {t("courses:invite")}
      </button>
      <PublishButton key={record.status} {...props} />
      {query.invite && (
        <InviteDialog course={record} onClose={() => change({ invite: undefined }, { replace: true })} />
      )}
    </>
  )
}

/** A course with its tabs. Who can't edit it sees only learners and submissions. */
export default function Course() {
  const me = useMe()
  const id = Number(useRoute().params.id)
  const course = useEditableRecord("/api/course/{id}", { params: { path: { id } } })
  const canEdit = hasAccess(me, "staff")
  const tabs: readonly TabName[] = canEdit
    ? ["modules", "learners", "gradebook", "at-risk", "submissions", "settings"]
    : ["learners", "gradebook", "at-risk", "submissions"]
  const { query } = useUrlState()
  const open = tabs.find((tab) => tab === query.tab) ?? tabs[0] ?? "learners"
  const Tab = TABS[open]
  const parent = { href: "/console/courses", label: t("courses:courses.title") }
  return (
    <Loaded query={course} parent={parent}>
      {({ record, version }) => (
        <Page
          title={record.name}
          parent={parent}
          actions={canEdit && <CourseActions record={record} version={version} refetch={course.refetch} />}
        >
          {canEdit && record.status === "draft" && <p class="notice">{t("courses:draft.about")}</p>}
          {open !== "settings" && <CourseImage url={record.featuredImageUrl} />}
          <p>
            <Badge status={record.status}>{labelFor("status", record.status)}</Badge> <Seats course={record} />
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
