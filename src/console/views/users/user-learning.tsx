import { Activity, FileQuestion, Medal } from "lucide-preact"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { EmptyState } from "../../ui/empty-state.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Listing } from "../../ui/listing.tsx"
import { safeUrl } from "../../ui/safe-url.ts"
import { Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { ENROLLMENT_STATUSES, statusLabel } from "./statuses.ts"

function UserBadgesEmpty() {
  const isStaff = hasAccess(useMe(), "staff")
  return (
    <EmptyState
      icon={Medal}
      text={t("users:badges.none")}
      {...(isStaff && { action: { label: t("nav.badges"), href: "/badges" } })}
    />
  )
}

export function UserBadges({ id }: { id: number }) {
  const badges = useRead("/api/user/badges/{id}", { params: { path: { id } } })
  return (
    <Loaded query={badges}>
      {(earned) =>
        earned.length === 0 ? (
          <UserBadgesEmpty />
        ) : (
          <Table
            caption={t("users:badges")}
            rows={earned}
            keyOf={(badge) => badge.id}
            columns={[
              {
                key: "title",
                title: t("users:badge"),
                render: ({ title, badgeIconUrl }) => (
                  <span class="person-badge">
                    {badgeIconUrl && <img src={safeUrl(badgeIconUrl)} alt="" width="32" height="32" />}
                    {title}
                  </span>
                ),
              },
              { key: "points", title: t("users:points"), numeric: true, render: ({ points }) => number(points) },
              { key: "count", title: t("users:times"), numeric: true, render: ({ count }) => number(count) },
            ]}
          />
        )
      }
    </Loaded>
  )
}

/** Quiz attempts of a user, and quizzes without an attempt. */
export const UserQuizzes = ({ id }: { id: number }) => (
  <Listing
    path="/api/user/reports/student-quizzes"
    empty={{
      icon: FileQuestion,
      text: t("users:quizzes.none"),
      action: { label: t("users:enrollments"), href: `/users/${id}?tab=enrollments` },
    }}
    caption={t("users:quizzes")}
    keyOf={({ attemptId, moduleId, courseId }) => attemptId ?? `${courseId}/${moduleId}`}
    query={{ user_id: id }}
    filters={[
      {
        name: "status",
        label: t("users:status"),
        options: ENROLLMENT_STATUSES.map((value) => ({ value, label: statusLabel(value) })),
        toApi: (value) => [value],
      },
    ]}
    columns={[
      { key: "quiz", title: t("users:quiz"), render: ({ quizName }) => quizName },
      { key: "course", title: t("users:course"), sort: "courseId", render: ({ courseName }) => courseName },
      {
        key: "attempt",
        title: t("users:attempt"),
        sort: "attempt",
        numeric: true,
        render: (row) => number(row.attempt),
      },
      { key: "status", title: t("users:status"), sort: "status", render: ({ status }) => statusLabel(status) },
      {
        key: "score",
        title: t("users:score"),
        sort: "percent",
        numeric: true,
        render: (row) =>
          row.percent === null || row.score === null
            ? t("none")
            : t("users:score.of", {
                score: number(row.score),
                of: number(row.outOf),
                percent: percent(row.percent / 100),
              }),
      },
      {
        key: "result",
        title: t("users:result"),
        sort: "result",
        render: ({ result }) =>
          result === "passed" ? t("users:passed") : result === "failed" ? t("users:failed") : t("none"),
      },
      {
        key: "completed",
        title: t("status.completed"),
        sort: "completed_on",
        render: ({ completed_on }) => <Time value={completed_on} />,
      },
    ]}
  />
)

/** Course activity of a user, newest first. */
export const UserActivity = ({ id }: { id: number }) => (
  <Listing
    path="/api/user-activities"
    empty={{
      icon: Activity,
      text: t("users:activity.none"),
      action: { label: t("users:enrollments"), href: `/users/${id}?tab=enrollments` },
    }}
    caption={t("users:activity")}
    keyOf={(row) => row.id}
    query={{ user_id: id, context: "admin" }}
    filters={[{ name: "courseName", label: t("users:course") }]}
    columns={[
      {
        key: "when",
        title: t("users:time"),
        sort: "created_at",
        render: ({ created_at }) => <Time value={created_at} none={created_at} />,
      },
      { key: "what", title: t("users:event"), render: ({ message }) => message },
      { key: "course", title: t("users:course"), sort: "course", render: ({ course }) => course },
    ]}
  />
)
