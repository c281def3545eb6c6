import { useRead } from "../../api/queries.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Listing } from "../../ui/listing.tsx"
import { loadable } from "../../ui/safe-url.ts"
import { Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { WallTime } from "../../ui/wall-time.tsx"
import { STATUSES, statusOf } from "./statuses.ts"

/** The classes that they have a place in, or had. */
export const UserClasses = ({ id }: { id: number }) => (
  <Listing
    path="/api/users/enrolled-classes"
    caption={t("people:classes")}
    keyOf={(row) => row.id}
    query={{ user_id: id }}
    columns={[
      { key: "title", title: t("people:class"), sort: "title", render: ({ title }) => title },
      {
        key: "start",
        title: t("people:start"),
        sort: "start",
        render: ({ start, timeZone }) => <WallTime value={start} zone={timeZone} />,
      },
      {
        key: "end",
        title: t("people:end"),
        sort: "end",
        render: ({ end, timeZone }) => <WallTime value={end} zone={timeZone} />,
      },
      { key: "location", title: t("people:location"), render: ({ location }) => location || t("none") },
      { key: "instructor", title: t("people:instructor"), render: ({ instructor }) => instructor || t("none") },
      { key: "status", title: t("people:status"), sort: "status", render: ({ display_status }) => display_status },
      {
        key: "registered",
        title: t("people:enrolled-on"),
        sort: "registered_on",
        render: ({ registered_on }) => <Time value={registered_on} />,
      },
    ]}
  />
)

/** The badges that they hold, with the times that they earned each. */
export function UserBadges({ id }: { id: number }) {
  const badges = useRead("/api/user/badges/{id}", { params: { path: { id } } })
  return (
    <Loaded of={badges}>
      {(held) =>
        held.length === 0 ? (
          <p class="empty">{t("list.empty")}</p>
        ) : (
          <Table
            caption={t("people:badges")}
            rows={held}
            keyOf={(badge) => badge.id}
            columns={[
              {
                key: "title",
                title: t("people:badge"),
                render: ({ title, badgeIconUrl }) => (
                  <span class="person-badge">
                    {badgeIconUrl && <img src={loadable(badgeIconUrl)} alt="" width="32" height="32" />}
                    {title}
                  </span>
                ),
              },
              { key: "points", title: t("people:points"), numeric: true, render: ({ points }) => number(points) },
              { key: "count", title: t("people:times"), numeric: true, render: ({ count }) => number(count) },
            ]}
          />
        )
      }
    </Loaded>
  )
}

/** Their attempts at quizzes, and the quizzes that they have not tried. */
export const UserQuizzes = ({ id }: { id: number }) => (
  <Listing
    path="/api/user/reports/student-quizzes"
    caption={t("people:quizzes")}
    keyOf={({ attemptId, moduleId, courseId }) => attemptId ?? `${courseId}/${moduleId}`}
    query={{ user_id: id }}
    filters={[
      {
        name: "status",
        label: t("people:status"),
        options: STATUSES.map((value) => ({ value, label: statusOf(value) })),
        toApi: (value) => [value],
      },
    ]}
    columns={[
      { key: "quiz", title: t("people:quiz"), render: ({ quizName }) => quizName },
      { key: "course", title: t("people:course"), sort: "courseId", render: ({ courseName }) => courseName },
      {
        key: "attempt",
        title: t("people:attempt"),
        sort: "attempt",
        numeric: true,
        render: (row) => number(row.attempt),
      },
      { key: "status", title: t("people:status"), sort: "status", render: ({ status }) => statusOf(status) },
      {
        key: "score",
        title: t("people:score"),
        sort: "percent",
        numeric: true,
        render: (row) =>
          row.percent === null || row.score === null
            ? t("none")
            : t("people:score.of", {
                score: number(row.score),
                of: number(row.outOf),
                percent: percent(row.percent / 100),
              }),
      },
      {
        key: "result",
        title: t("people:result"),
        sort: "result",
        render: ({ result }) =>
          result === "passed" ? t("people:passed") : result === "failed" ? t("people:failed") : t("none"),
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

/** What they did in courses, the last first. */
export const UserActivity = ({ id }: { id: number }) => (
  <Listing
    path="/api/user-activities"
    caption={t("people:activity")}
    keyOf={(row) => row.id}
    query={{ user_id: id, context: "admin" }}
    filters={[{ name: "courseName", label: t("people:course") }]}
    columns={[
      {
        key: "when",
        title: t("people:time"),
        sort: "created_at",
        render: ({ created_at }) => <Time value={created_at} none={created_at} />,
      },
      { key: "what", title: t("people:event"), render: ({ message }) => message },
      { key: "course", title: t("people:course"), sort: "course", render: ({ course }) => course },
    ]}
  />
)
