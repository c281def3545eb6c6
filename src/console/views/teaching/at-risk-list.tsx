import { Smile } from "lucide-preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { Listing } from "../../ui/listing.tsx"
import type { Column } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { DueActionDialog, MessageDialog } from "./dialogs.ts"

type Learner = RecordOf<"/api/reports/at-risk">
type Reason = Learner["reasons"][number]

const REASONS = ["overdue", "failed_attempts", "inactive", "not_started"] as const satisfies readonly Reason[]
const reasonLabel = (reason: Reason) => t(`teaching:reason.${reason}`)
/** The status that colors a reason. */
const TONES: Record<Reason, string> = {
  overdue: "overdue",
  failed_attempts: "failed",
  inactive: "due_soon",
  not_started: "not started",
}

const nameOf = ({ first_name, last_name }: Learner) => `${first_name} ${last_name}`

const columns = (showCourse: boolean): Column<Learner>[] => [
  {
    key: "name",
    title: t("teaching:learner"),
    sort: "last_name",
    render: (learner) => <a href={`/console/users/${learner.user_id}`}>{nameOf(learner)}</a>,
  },
  ...(showCourse
    ? [
        {
          key: "course",
          title: t("teaching:course"),
          render: ({ course_id, courseName }: Learner) => (
            <a href={`/console/courses/${course_id}?tab=at-risk`}>{courseName}</a>
          ),
        },
      ]
    : []),
  {
    key: "reasons",
    title: t("teaching:reasons"),
    sort: "risk",
    render: ({ reasons, failedAttempts }) => (
      <span class="badges">
        {reasons.map((reason) => (
          <Badge key={reason} status={TONES[reason]}>
            {reason === "failed_attempts"
              ? t("teaching:failed-attempts", { count: failedAttempts, shown: number(failedAttempts) })
              : reasonLabel(reason)}
          </Badge>
        ))}
      </span>
    ),
  },
  {
    key: "progress",
    title: t("teaching:progress"),
    sort: "percent_complete",
    numeric: true,
    render: ({ percent_complete }) => percent(percent_complete / 100),
  },
  {
    key: "accessed",
    title: t("teaching:last-activity"),
    sort: "last_accessed_on",
    render: ({ lastAccessedAt }) => <Time value={lastAccessedAt} none={t("teaching:never")} />,
  },
  {
    key: "due",
    title: t("teaching:due"),
    sort: "dueAt",
    render: ({ dueAt }) => <Time value={dueAt} none="–" />,
  },
]

const ACTIONS = ["message", "remind", "extend"] as const

interface Pending {
  action: (typeof ACTIONS)[number]
  rows: readonly Learner[]
  clear: () => void
}

/** Learners who may not complete a course, with the reasons. Without a course: of those that the caller teaches. */
export function AtRiskList({ courseId }: { courseId?: number }) {
  const [pending, setPending] = useState<Pending>()
  const close = () => setPending(undefined)
  return (
    <>
      <Listing
        path="/api/reports/at-risk"
        caption={t("teaching:at-risk")}
        columns={columns(courseId === undefined)}
        {...(courseId !== undefined && { query: { course_id: courseId } })}
        keyOf={({ id }) => id}
        nameOf={nameOf}
        empty={{ icon: Smile, text: t("teaching:at-risk.none") }}
        filters={[
          {
            name: "reason",
            label: t("teaching:reason"),
            options: REASONS.map((value) => ({ value, label: reasonLabel(value) })),
            toApi: (reason) => [reason],
          },
          { name: "inactiveDays", label: t("teaching:inactive-days"), type: "number", isQueryParam: true },
        ]}
        actions={(rows, clear) =>
          ACTIONS.map((action) => (
            <button key={action} type="button" onClick={() => setPending({ action, rows, clear })}>
              {t(`teaching:action.${action}`)}
            </button>
          ))
        }
      />
      {pending?.action === "message" && (
        <MessageDialog
          people={pending.rows.map((row) => ({ id: row.user_id, name: nameOf(row) }))}
          onDone={pending.clear}
          onClose={close}
        />
      )}
      {pending && pending.action !== "message" && (
        <DueActionDialog
          action={pending.action}
          enrollments={pending.rows.map((row) => ({ id: row.id, name: `${nameOf(row)}: ${row.courseName}` }))}
          onDone={pending.clear}
          onClose={close}
        />
      )}
    </>
  )
}
