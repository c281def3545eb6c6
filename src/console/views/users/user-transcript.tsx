import { FileDown, Inbox } from "lucide-preact"
import type { DataOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { EmptyState } from "../../ui/empty-state.tsx"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Table } from "../../ui/table.tsx"
import { Time } from "../../ui/time.tsx"
import { DueStatusBadge } from "../compliance/statuses.tsx"
import { statusLabel } from "./statuses.ts"

type Transcript = DataOf<"/api/transcript/user/{id}", "get">
type Course = Transcript["courses"][number]
type Cycle = Course["cycles"][number]

const TRANSCRIPT = "/api/transcript/user/{id}"

/** The exemptions and extensions of a cycle, with their reasons. */
const Decisions = ({ cycle: { exemptions, extensions } }: { cycle: Cycle }) => (
  <>
    {exemptions.map(({ at, reason }) => (
      <p class="quiet" key={at}>
        {t("users:transcript.exempt", { reason })} · <Time value={at} />
      </p>
    ))}
    {extensions.map(({ at, reason }) => (
      <p class="quiet" key={at}>
        {t("users:transcript.extended", { reason })} · <Time value={at} />
      </p>
    ))}
  </>
)

const Cycles = ({ courses }: { courses: readonly Course[] }) => (
  <Table
    caption={t("users:transcript")}
    rows={courses.flatMap(({ courseId, courseName, cycles }) =>
      cycles.map((cycle) => ({ ...cycle, courseId, courseName })),
    )}
    keyOf={({ courseId, cycle }) => `${courseId} ${cycle}`}
    columns={[
      {
        key: "course",
        title: t("users:course"),
        render: (row) => (
          <>
            {row.courseName}
            <Decisions cycle={row} />
          </>
        ),
      },
      { key: "cycle", title: t("users:transcript.cycle"), numeric: true, render: ({ cycle }) => number(cycle) },
      {
        key: "status",
        title: t("users:status"),
        render: ({ status, dueStatus }) =>
          dueStatus ? <DueStatusBadge status={dueStatus} /> : <Badge status={status}>{statusLabel(status)}</Badge>,
      },
      { key: "due", title: t("users:transcript.due"), render: ({ dueAt }) => <Time value={dueAt} /> },
      { key: "completed", title: t("status.completed"), render: ({ completedAt }) => <Time value={completedAt} /> },
      {
        key: "score",
        title: t("users:score"),
        numeric: true,
        render: ({ percentAchieved }) => (percentAchieved === null ? t("none") : percent(percentAchieved / 100)),
      },
      {
        key: "certificate",
        title: t("users:certificate"),
        render: ({ certificate }) =>
          certificate ? (
            <a href={`/certificate/${certificate.code}`}>{t("users:transcript.certificate")}</a>
          ) : (
            t("none")
          ),
      },
    ]}
  />
)

/** All courses of a person with their cycles, and the transcripts that were issued. */
export function UserTranscript({ id }: { id: number }) {
  const init = { params: { path: { id } } }
  const transcript = useRead(TRANSCRIPT, init)
  const issue = useChange({
    call: () => api.POST("/api/transcript/user/{id}/issue", init),
    invalidates: [TRANSCRIPT],
  })
  return (
    <Loaded query={transcript}>
      {({ courses, issued }) => (
        <>
          <ErrorMessage error={issue.error} />
          <p>
            <button type="button" class="primary" disabled={issue.isPending} onClick={() => issue.mutate(undefined)}>
              {t("users:transcript.issue")}
            </button>
          </p>
          {issued.length > 0 && (
            <section class="card" aria-labelledby="issued-transcripts">
              <h2 id="issued-transcripts">{t("users:transcript.issued")}</h2>
              <ul class="plain-list">
                {issued.map((one) => (
                  <li key={one.id}>
                    <Time value={one.issuedAt} />{" "}
                    <a href={`/api/transcript/${one.id}/pdf`} download>
                      <FileDown size={16} aria-hidden /> {t("users:transcript.pdf")}
                    </a>{" "}
                    <a href={one.verifyUrl}>{t("users:transcript.verify")}</a>
                  </li>
                ))}
              </ul>
            </section>
          )}
          {courses.length === 0 ? (
            <EmptyState
              icon={Inbox}
              text={t("users:enrollments.none")}
              action={{ label: t("users:enrollments"), href: `/users/${id}?tab=enrollments` }}
            />
          ) : (
            <Cycles courses={courses} />
          )}
        </>
      )}
    </Loaded>
  )
}
