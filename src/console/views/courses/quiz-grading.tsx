import { useRef } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { hasAccess, useMe } from "../../api/me.tsx"
import { useChange, useRead } from "../../api/queries.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextArea, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { QuizReview, type ReviewedAttempt } from "../../ui/quiz-review.tsx"
import { useNavigate, useUrlState } from "../../ui/url-state.ts"
import { queueLink, useGradingQueue } from "./grading-queue.ts"
import { QueueLinks } from "./queue-links.tsx"
import "./courses.css"

function EssayForm({ attempt, onDone, hasNext }: { attempt: ReviewedAttempt; onDone: () => void; hasNext: boolean }) {
  const essays = attempt.questions.filter(({ isCorrect }) => isCorrect === null)
  const grade = useChange({
    call: (body: Schemas["QuizEssayGrades"]) => api.POST("/api/quiz/grade", { body }),
    invalidates: ["/api/course/submissions", "/api/course/all-submissions", "/api/quiz"],
  })
  return (
    <Form
      submit={hasNext ? t("courses:grade.save-next") : t("save")}
      onSubmit={async (values) => {
        const grades = essays.map(({ id }, index) => {
          const comment = values.optional(`grades.${index}.comment`)
          return { questionId: id, points: values.number(`grades.${index}.points`) ?? 0, ...(comment && { comment }) }
        })
        await grade.mutateAsync({ attemptId: attempt.attemptId, grades })
        onDone()
      }}
    >
      {essays.map((essay, index) => (
        <fieldset class="question-draft" key={essay.id}>
          <legend dir="auto">{essay.text}</legend>
          <TextField
            name={`grades.${index}.points`}
            label={t("courses:points")}
            hint={t("courses:points.hint", { of: number(essay.points) })}
            type="number"
            min={0}
            max={essay.points}
            step="any"
            required
          />
          <TextArea
            name={`grades.${index}.comment`}
            label={t("courses:feedback")}
            rows={4}
            maxLength={5000}
            dir="auto"
          />
        </fieldset>
      ))}
    </Form>
  )
}

function GradedAttempt({ id, statusRowId }: { id: number; statusRowId: number }) {
  const me = useMe()
  const go = useNavigate()
  const { query } = useUrlState()
  const form = useRef<HTMLElement>(null)
  const queue = useGradingQueue(query, statusRowId)
  const { next, pathOf } = queue
  const attempt = useRead("/api/quiz/attempt/{id}", { params: { path: { id } } })
  return (
    <Loaded query={attempt} parent={queueLink(query)}>
      {(found) => (
        <Page
          title={t("courses:grade.title", { assignment: found.quiz, learner: found.learner })}
          parent={queueLink(query)}
          actions={<QueueLinks queue={queue} />}
        >
          <p>
            <bdi>{found.learner}</bdi> <bdi class="quiet">{found.email}</bdi> ·{" "}
            {t("courses:quiz.score", {
              score: number(found.score),
              outOf: number(found.outOf),
              percent: percent(found.percent / 100),
            })}
          </p>
          <div class="side-by-side">
            <section class="card" aria-labelledby="work">
              <h2 id="work">{t("courses:grade.submission")}</h2>
              <QuizReview attempt={found} />
            </section>
            <section ref={form} class="card" tabIndex={-1} aria-labelledby="evaluation">
              <h2 id="evaluation">{t("courses:grade")}</h2>
              {found.result !== "pending" ? (
                <p>{t("courses:quiz.graded")}</p>
              ) : hasAccess(me, "staff") ? (
                <EssayForm
                  attempt={found}
                  hasNext={next !== undefined}
                  onDone={() => {
                    if (next !== undefined) go(pathOf(next))
                    else form.current?.focus()
                  }}
                />
              ) : (
                <p>{t("courses:grade.pending")}</p>
              )}
            </section>
          </div>
        </Page>
      )}
    </Loaded>
  )
}

/** The newest submitted attempt at a quiz, with its grade. */
export function QuizGrading() {
  const statusRowId = Number(useRoute().params.id)
  const { query } = useUrlState()
  const attempts = useRead("/api/quiz/attempts", { params: { query: { statusRowId } } })
  return (
    <Loaded query={attempts} parent={queueLink(query)}>
      {(found) => {
        const submitted = found.attempts.filter(({ status }) => status === "Completed")
        const shown = submitted.find(({ result }) => result === "pending") ?? submitted.at(-1)
        return shown ? (
          <GradedAttempt key={shown.attemptId} id={shown.attemptId} statusRowId={statusRowId} />
        ) : (
          <Page title={t("courses:grading.title")} parent={queueLink(query)}>
            {t("courses:submissions.none")}
          </Page>
        )
      }}
    </Loaded>
  )
}
