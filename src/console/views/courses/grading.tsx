import { useEffect, useRef } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { useRead } from "../../api/queries.ts"
import { store } from "../../api/store.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { useAddress, useGo } from "../../ui/url-state.ts"
import { EvaluationForm } from "./grading-form.tsx"
import { queueOf, useQueue } from "./grading-queue.ts"
import { SubmittedWork } from "./submitted-work.tsx"
import "./courses.css"

type Submissions = Schemas["AssignmentSubmissions"]

/** Whether one was evaluated just now: then the next one's points take the focus. */
const evaluated = store(false)

interface SheetProps {
  id: number
  work: Submissions
  /** What is gone through, as a query. */
  queue: string
  previous: number | undefined
  next: number | undefined
}

function Sheet({ id, work, queue, previous, next }: SheetProps) {
  const go = useGo()
  const form = useRef<HTMLElement>(null)
  const latest = useRef(next)
  latest.current = next
  useEffect(() => {
    if (evaluated.get()) form.current?.querySelector("input")?.focus()
    evaluated.set(false)
  }, [])
  const [newest, ...earlier] = work.submissions
  const step = (to: number | undefined, label: string) =>
    to === undefined ? (
      <button type="button" disabled>
        {label}
      </button>
    ) : (
      <a class="button" href={`/console/assignments/${to}?${queue}`}>
        {label}
      </a>
    )
  return (
    <Page
      title={t("courses:grade.title", { assignment: work.assignmentName, learner: work.userFullName })}
      within={{ href: `/console/assignments?${queue}`, label: t("courses:grading.title") }}
      actions={
        <>
          {step(previous, t("courses:grade.previous"))}
          {step(next, t("courses:grade.next"))}
        </>
      }
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
          {earlier.map((one) => (
            <details key={one.id}>
              <summary>{t("courses:grade.earlier", { attempt: one.attempt })}</summary>
              <SubmittedWork work={one} />
            </details>
          ))}
        </section>
        <section ref={form} class="card" tabIndex={-1} aria-labelledby="evaluation">
          <h2 id="evaluation">{t("courses:grade")}</h2>
          {newest && (
            <EvaluationForm
              key={`${newest.id} ${newest.status}`}
              statusRowId={id}
              work={newest}
              totalPoints={work.totalPoints}
              goesOn={next !== undefined}
              onDone={() => {
                const to = latest.current
                if (to === undefined) return form.current?.focus()
                evaluated.set(true)
                go(`/assignments/${to}?${queue}`)
              }}
            />
          )}
        </section>
      </div>
    </Page>
  )
}

/** A submission beside its evaluation, with its neighbors in the list that led here. */
export default function Evaluation() {
  const id = Number(useRoute().params.id)
  const { query } = useAddress()
  const { previous, next } = useQueue(query, id)
  const work = useRead("/api/module/assignment/submissions", { params: { query: { statusRowId: id } } })
  // The next one is there when it is come to.
  useRead(
    "/api/module/assignment/submissions",
    { params: { query: { statusRowId: next ?? 0 } } },
    { enabled: next !== undefined },
  )
  return (
    <Loaded of={work}>
      {(read) => <Sheet key={id} id={id} work={read} queue={queueOf(query)} previous={previous} next={next} />}
    </Loaded>
  )
}
