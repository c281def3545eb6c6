import { ClipboardCheck } from "lucide-preact"
import type { RecordOf } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { gradingPath, type UrlQuery } from "./grading-queue.ts"
import { labelFor, optionsFor } from "./labels.ts"

const SUBMISSION_STATUSES = ["Submitted", "Accepted", "Returned", "Closed"] as const
type Submission = RecordOf<"/api/course/submissions"> & { course_name?: string }

const columns = (queue: UrlQuery, showCourse: boolean): Column<Submission>[] => [
  {
    key: "name",
    title: t("courses:learner"),
    sort: "last_name",
    render: ({ first_name, last_name, status_row_id, module_type }) => (
      <a
        href={`/console${gradingPath(status_row_id, module_type === "quiz", queue)}`}
      >{`${first_name} ${last_name}`}</a>
    ),
  },
  { key: "module", title: t("courses:assignment"), sort: "module_name", render: ({ module_name }) => module_name },
  ...(showCourse
    ? [
        {
          key: "course",
          title: t("courses:course"),
          sort: "course_name",
          render: ({ course_name }: Submission) => course_name,
        },
      ]
    : []),
  {
    key: "submitted",
    title: t("courses:submitted"),
    sort: "submitted_on",
    render: ({ submitted_on }) => <Time value={submitted_on} />,
  },
  { key: "attempt", title: t("courses:attempt"), numeric: true, render: ({ attempt }) => attempt },
  {
    key: "status",
    title: t("courses:status"),
    render: ({ status }) => <Badge status={status}>{labelFor("submission", status)}</Badge>,
  },
]

/** Submissions of one course or of all, with links to grade them. */
export function SubmissionList({ caption, courseId }: { caption: string; courseId?: number }) {
  const { query: urlQuery } = useUrlState()
  const queue = { ...urlQuery, course: courseId === undefined ? undefined : String(courseId) }
  const shared = {
    caption,
    keyOf: ({ submission_id }: Submission) => submission_id,
    filters: [
      { name: "nameOrEmail", label: t("courses:learner.search") },
      {
        name: "status",
        label: t("courses:status"),
        options: optionsFor("submission", SUBMISSION_STATUSES),
        toApi: (status: string) => [status],
      },
    ],
    empty: {
      icon: ClipboardCheck,
      text: t("courses:submissions.none"),
      ...(courseId === undefined && { action: { label: t("nav.courses"), href: "/courses" } }),
    },
  }
  return courseId === undefined ? (
    <Listing path="/api/course/all-submissions" columns={columns(queue, true)} {...shared} />
  ) : (
    <Listing
      key={courseId}
      path="/api/course/submissions"
      columns={columns(queue, false)}
      query={{ course_id: courseId }}
      {...shared}
    />
  )
}
