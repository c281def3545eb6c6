import { CalendarClock, FileSpreadsheet, Inbox } from "lucide-preact"
import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { DataOf } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { formatDuration } from "../../ui/duration.ts"
import { EmptyState } from "../../ui/empty-state.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { type Column, Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { OpeningDatesDialog } from "./opening-dates.tsx"
import { statusLabel } from "./statuses.ts"

type Module = DataOf<"/api/course/modules", "get">[number]

/** The spreadsheets of a learner's results, by the type of the module. */
function Results({ module: { type, name, status_row_id: id } }: { module: Module }) {
  if (id < 0 || (type !== "quiz" && type !== "scorm")) return <>{t("none")}</>
  const link = (href: string, results: "attempts" | "interactions") => (
    <a class="with-icon" href={href} download aria-label={t(`users:results.${results}.of`, { name })}>
      <FileSpreadsheet size={16} aria-hidden /> {t(`users:results.${results}`)}
    </a>
  )
  return (
    <div class="actions">
      {type === "quiz" ? (
        link(`/api/quiz-report/spreadsheet/${id}`, "attempts")
      ) : (
        <>
          {link(`/api/scorm-report/spreadsheet/${id}`, "attempts")}
          {link(`/api/scorm-activity-report/spreadsheet/${id}`, "interactions")}
        </>
      )}
    </div>
  )
}

const columns = (): Column<Module>[] => [
  {
    key: "name",
    title: t("users:module"),
    render: ({ name, is_dripped, is_locked }) => (
      <>
        <span dir="auto">{name}</span>{" "}
        {(is_dripped || is_locked) && <Badge>{t(is_dripped ? "users:module.not-open" : "users:module.locked")}</Badge>}
      </>
    ),
  },
  {
    key: "status",
    title: t("users:status"),
    render: ({ status }) => (
      <Badge status={status}>{status === "Submitted" ? t("users:submitted") : statusLabel(status)}</Badge>
    ),
  },
  {
    key: "points",
    title: t("users:points"),
    numeric: true,
    render: ({ points_awarded }) => (points_awarded === null ? t("none") : number(points_awarded)),
  },
  {
    key: "time",
    title: t("users:time-spent"),
    render: ({ total_time_spent }) =>
      total_time_spent === "" ? t("none") : formatDuration(total_time_spent.totalSeconds),
  },
  {
    key: "accessed",
    title: t("users:last-accessed"),
    render: ({ last_accessed_on }) => <Time value={last_accessed_on} />,
  },
  { key: "completed", title: t("status.completed"), render: ({ completed_on }) => <Time value={completed_on} /> },
  { key: "results", title: t("users:results"), render: (module) => <Results module={module} /> },
]

function Modules({ registrationId }: { registrationId: number }) {
  const modules = useRead("/api/course/modules", { params: { query: { registrationId } } })
  return (
    <Loaded query={modules}>
      {(rows) =>
        rows.length === 0 ? (
          <EmptyState icon={Inbox} text={t("users:modules.none")} />
        ) : (
          <Table caption={t("users:modules")} columns={columns()} rows={rows} keyOf={({ module_id }) => module_id} />
        )
      }
    </Loaded>
  )
}

/** A learner's progress in one course, module by module, with their results and opening dates. */
export default function CourseProgress() {
  const { id, course } = useRoute().params
  const [userId, courseId] = [Number(id), Number(course)]
  const [isEditing, setIsEditing] = useState(false)
  const user = useRead("/api/user/{id}", { params: { path: { id: userId } } })
  const enrolled = useRead("/api/users/enrolled-courses", {
    params: { query: { user_id: userId, page_size: 1, page_number: 1, search_param: { courseId } } },
  })
  const data = user.data && enrolled.data && { person: user.data, enrollment: enrolled.data.records[0] }
  return (
    <Loaded
      query={{ data, error: user.error ?? enrolled.error }}
      parent={{ href: "/console/users", label: t("users:title") }}
    >
      {({ person, enrollment }) => {
        const name = `${person.firstName} ${person.lastName}`
        const parent = { href: `/console/users/${userId}?tab=enrollments`, label: name }
        if (!enrollment)
          return (
            <Page title={t("not-found.title")} parent={parent}>
              <p>{t("not-found.text")}</p>
            </Page>
          )
        return (
          <Page
            title={enrollment.courseName}
            parent={parent}
            actions={
              <button type="button" class="with-icon" onClick={() => setIsEditing(true)}>
                <CalendarClock size={16} aria-hidden /> {t("users:opening-dates")}
              </button>
            }
          >
            <p>
              <Badge status={enrollment.status}>{statusLabel(enrollment.status)}</Badge>{" "}
              {percent(enrollment.percentComplete / 100)}
            </p>
            <Modules registrationId={enrollment.id} />
            {isEditing && <OpeningDatesDialog registrationId={enrollment.id} onClose={() => setIsEditing(false)} />}
          </Page>
        )
      }}
    </Loaded>
  )
}
