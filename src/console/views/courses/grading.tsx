import { useEffect, useRef } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { store } from "../../api/store.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { useNavigate, useUrlState } from "../../ui/url-state.ts"
import { GradingForm } from "./grading-form.tsx"
import { type GradingQueue, queueLink, useGradingQueue } from "./grading-queue.ts"
import { QueueLinks } from "./queue-links.tsx"
import { QuizGrading } from "./quiz-grading.tsx"
import { SubmittedWork } from "./submitted-work.tsx"
import "./courses.css"

type Submissions = Schemas["AssignmentSubmissions"]

/** Whether a submission was just graded: then the next one focuses its points field. */
const wasJustGraded = store(false)

interface SubmissionPageProps {
  id: number
  work: Submissions
  queue: GradingQueue
}

function SubmissionPage({ id, work, queue }: SubmissionPageProps) {
  const { query } = useUrlState()
  const { next, pathOf } = queue
  const go = useNavigate()
  const form = useRef<HTMLElement>(null)
  const latest = useRef(next)
  latest.current = next
  useEffect(() => {
    if (wasJustGraded.get()) form.current?.querySelector("input")?.focus()
    wasJustGraded.set(false)
  }, [])
  const [newest, ...earlier] = work.submissions
  return (
    <Page
      title={t("courses:grade.title", { assignment: work.assignmentName, learner: work.userFullName })}
      parent={queueLink(query)}
      actions={<QueueLinks queue={queue} />}
    >
      <p>
        <a href={`/console/courses/${work.courseId}`}>{work.courseName}</a> · <bdi>{work.userFullName}</bdi>{" "}
        <bdi class="quiet">{work.userEmail}</bdi>
      </p>
      <details class="card">
        <summary>{t("courses:grade.instructions")}</summary>
        <RichText html={work.content} />
      </details>
      <div class="side-by-side">
        <section class="card" aria-labelledby="work">
          <h2 id="work">{t("courses:grade.submission")}</h2>
          {newest ? <SubmittedWork work={newest} /> : <p>{t("courses:submissions.none")}</p>}
          {earlier.map((submission) => (
            <details key={submission.id}>
              <summary>{t("courses:grade.earlier", { attempt: submission.attempt })}</summary>
              <SubmittedWork work={submission} />
            </details>
          ))}
        </section>
        <section ref={form} class="card" tabIndex={-1} aria-labelledby="evaluation">
          <h2 id="evaluation">{t("courses:grade")}</h2>
          {newest && (
            <GradingForm
              key={`${newest.id} ${newest.status}`}
              statusRowId={id}
              work={newest}
              totalPoints={work.totalPoints}
              hasNext={next !== undefined}
              onDone={() => {
                const to = latest.current
                if (to === undefined) return form.current?.focus()
                wasJustGraded.set(true)
                go(pathOf(to))
              }}
            />
          )}
        </section>
      </div>
    </Page>
  )
}

/** A submission of an assignment with its grade, and links to the previous and next one of the list. */
function AssignmentGrading() {
  const id = Number(useRoute().params.id)
  const { query } = useUrlState()
  const queue = useGradingQueue(query, id)
  const { next, isQuiz } = queue
  const work = useRead("/api/module/assignment/submissions", { params: { query: { statusRowId: id } } })
  // Prefetches the next submission.
  useRead(
    "/api/module/assignment/submissions",
    { params: { query: { statusRowId: next ?? 0 } } },
    { enabled: next !== undefined && !isQuiz(next) },
  )
  return (
    <Loaded query={work} parent={queueLink(query)}>
      {(submissions) => <SubmissionPage key={id} id={id} work={submissions} queue={queue} />}
    </Loaded>
  )
}

/** What waits to be graded: the submission of an assignment, or the essays of a quiz. */
export default function Grading() {
  const { query } = useUrlState()
  return query.type === "quiz" ? <QuizGrading /> : <AssignmentGrading />
}
