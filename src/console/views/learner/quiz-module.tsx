import { useEffect, useRef, useState } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { announce } from "../../api/announce.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { Confirm } from "../../ui/dialog.tsx"
import { Problem } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import type { CourseModule, ModuleProps } from "./module-props.ts"
import {
  type Answers,
  type Attempt,
  forget,
  isAnswered,
  isUnderWay,
  keepAnswers,
  keptAnswers,
  markUnderWay,
  type Question,
} from "./quiz-storage.ts"
import { duration, PROGRESS } from "./shared.tsx"

type Quiz = NonNullable<CourseModule["quiz"]>
type Outcome = DataOf<"/api/quiz/submit", "post">

const SECOND = 1000
const MINUTE = 60

/** One question with what can be answered. */
function QuestionField({
  question,
  at,
  answers,
  onAnswer,
}: {
  question: Question
  at: number
  answers: Answers
  onAnswer: (answer: Answers[number]) => void
}) {
  const chosen = answers[question.id]?.optionIds ?? []
  const name = `question-${question.id}`
  const points = t("learner:points", { count: question.points, shown: number(question.points) })
  if (question.type === "short")
    return (
      <div class="field question">
        <label for={name}>
          {number(at)}. {question.text}
        </label>
        <input
          id={name}
          type="text"
          maxLength={5000}
          autocomplete="off"
          value={answers[question.id]?.text ?? ""}
          onInput={(event) => onAnswer({ text: event.currentTarget.value })}
        />
        <p class="quiet">{points}</p>
      </div>
    )
  const isMultiple = question.type === "multiple"
  return (
    <fieldset class="question">
      <legend>
        {number(at)}. {question.text}
      </legend>
      {question.options.map((option) => (
        <div class="check" key={option.id}>
          <input
            type={isMultiple ? "checkbox" : "radio"}
            id={`${name}-${option.id}`}
            name={name}
            checked={chosen.includes(option.id)}
            onChange={({ currentTarget }) => {
              const others = isMultiple ? chosen.filter((id) => id !== option.id) : []
              onAnswer({ optionIds: currentTarget.checked ? [...others, option.id] : others })
            }}
          />
          <label for={`${name}-${option.id}`}>{option.text}</label>
        </div>
      ))}
      <p class="quiet">
        {points}
        {isMultiple && ` ${t("learner:quiz.multiple")}`}
      </p>
    </fieldset>
  )
}

/** What is left of the time; when it is over, `onEnd` is called once. */
function Remaining({ until, onEnd }: { until: number; onEnd: () => void }) {
  const [left, setLeft] = useState(until - Date.now())
  const told = useRef({ end: false, minute: left <= MINUTE * SECOND })
  useEffect(() => {
    const timer = setInterval(() => {
      const now = until - Date.now()
      setLeft(now)
      if (now <= MINUTE * SECOND && !told.current.minute) {
        told.current.minute = true
        announce(t("learner:quiz.last-minute"))
      }
      if (now <= 0 && !told.current.end) {
        told.current.end = true
        onEnd()
      }
    }, SECOND)
    return () => clearInterval(timer)
  }, [until])
  const seconds = Math.max(0, Math.ceil(left / SECOND))
  return (
    <p role="timer">
      {t("learner:quiz.time-left", {
        time: `${number(Math.floor(seconds / MINUTE))}:${number(seconds % MINUTE, { minimumIntegerDigits: 2 })}`,
      })}
    </p>
  )
}

/** What the quiz asks of a learner: read before an attempt begins, which is counted. */
const Terms = ({ of }: { of: Quiz }) => (
  <dl class="facts">
    <dt>{t("learner:quiz.questions")}</dt>
    <dd>{number(of.questions)}</dd>
    <dt>{t("learner:quiz.time")}</dt>
    <dd>{of.time_limit_minutes > 0 ? duration(of.time_limit_minutes * MINUTE) : t("learner:quiz.time.none")}</dd>
    <dt>{t("learner:quiz.pass")}</dt>
    <dd>
      {of.pass_percent > 0
        ? t("learner:quiz.pass.of", { percent: percent(of.pass_percent / 100) })
        : t("learner:quiz.pass.any")}
    </dd>
    <dt>{t("learner:quiz.attempts")}</dt>
    <dd>
      {of.max_attempts > 0
        ? t("learner:quiz.attempts.of", { used: number(of.attempts_used), of: number(of.max_attempts) })
        : t("learner:quiz.attempts.unlimited", { used: number(of.attempts_used) })}
    </dd>
  </dl>
)

/** A quiz: begun by a button, answered on one page, told at once. A reload goes on where it was. */
export function QuizModule({ registrationId, module }: ModuleProps) {
  const moduleId = module.module_id
  const [attempt, setAttempt] = useState<Attempt>()
  const [until, setUntil] = useState<number>()
  const [answers, setAnswers] = useState<Answers>({})
  const [outcome, setOutcome] = useState<Outcome>()
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const [asks, ask] = useState(false)
  const result = useRef<HTMLHeadingElement>(null)
  const current = useRef(answers)
  current.current = answers

  const begin = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const { data, response } = await api.POST("/api/quiz/attempt", { body: { registrationId, moduleId } })
      // What is left counts by the service's clock, where it tells it.
      const served = Date.parse(response.headers.get("date") ?? "")
      const ahead = Number.isNaN(served) ? 0 : Date.now() - served
      markUnderWay(registrationId, moduleId)
      setAnswers(keptAnswers(data.attemptId))
      setUntil(data.due_on ? Date.parse(data.due_on) + ahead : undefined)
      setOutcome(undefined)
      setAttempt(data)
    } catch (failure) {
      forget(registrationId, moduleId)
      setError(failure)
    } finally {
      setBusy(false)
    }
  }
  const submit = useChange({
    call: ({ attemptId, questions }: Attempt) =>
      api.POST("/api/quiz/submit", {
        body: {
          attemptId,
          answers: questions
            .filter((question) => isAnswered(current.current, question))
            .map(({ id }) => ({ questionId: id, ...current.current[id] })),
        },
      }),
    changes: PROGRESS,
  })
  const hand = async (of: Attempt) => {
    const told = await submit.mutateAsync(of)
    forget(registrationId, moduleId, of.attemptId)
    ask(false)
    setAttempt(undefined)
    setOutcome(told)
  }
  useEffect(() => {
    if (isUnderWay(registrationId, moduleId)) begin()
  }, [])
  useEffect(() => {
    if (outcome) result.current?.focus()
  }, [outcome])

  const { quiz } = module
  const isUsedUp = !!quiz && quiz.max_attempts > 0 && quiz.attempts_used >= quiz.max_attempts && !quiz.is_attempt_open
  const beginning = quiz?.is_attempt_open
    ? t("learner:quiz.continue")
    : outcome || module.status === "Completed"
      ? t("learner:quiz.retake")
      : t("learner:quiz.start")
  if (!attempt)
    return (
      <>
        {outcome && (
          <>
            <h3 ref={result} tabIndex={-1} lang="en" dir="auto">
              {outcome.message}
            </h3>
            <p>
              {t("learner:quiz.score", {
                score: number(outcome.score),
                outOf: number(outcome.outOf),
                percent: percent(outcome.percent / 100),
              })}
            </p>
          </>
        )}
        {module.points_awarded !== null && (
          <p>{t("learner:best-score", { count: module.points_awarded, shown: number(module.points_awarded) })}</p>
        )}
        <Problem error={error} />
        {quiz && <Terms of={quiz} />}
        {!outcome && <p>{t("learner:quiz.about")}</p>}
        {isUsedUp ? (
          <p>{t("learner:quiz.none-left")}</p>
        ) : (
          <button type="button" class={module.status === "Completed" ? "" : "primary"} disabled={busy} onClick={begin}>
            {beginning}
          </button>
        )}
      </>
    )
  const total = attempt.questions.length
  const answered = attempt.questions.filter((question) => isAnswered(answers, question)).length
  return (
    <>
      <p class="quiet">{t("learner:quiz.attempt", { number: number(attempt.attempt) })}</p>
      {until !== undefined && <Remaining until={until} onEnd={() => hand(attempt).catch(setError)} />}
      <Problem error={error} />
      <Form
        submit={t("learner:quiz.submit")}
        onSubmit={async () => (answered < total ? ask(true) : hand(attempt))}
        isKept
      >
        {attempt.questions.map((question, index) => (
          <QuestionField
            key={question.id}
            question={question}
            at={index + 1}
            answers={answers}
            onAnswer={(answer) => {
              const next = { ...answers, [question.id]: answer }
              setAnswers(next)
              keepAnswers(attempt.attemptId, next)
            }}
          />
        ))}
        <p role="status">
          {t("learner:quiz.answered", {
            count: answered,
            shown: number(answered),
            of: number(total),
          })}
        </p>
      </Form>
      {asks && (
        <Confirm
          title={t("learner:quiz.unanswered.title")}
          confirm={t("learner:quiz.submit")}
          onConfirm={() => hand(attempt)}
          onClose={() => ask(false)}
        >
          <p>
            {t("learner:quiz.unanswered", {
              count: total - answered,
              shown: number(total - answered),
              of: number(total),
            })}
          </p>
        </Confirm>
      )}
    </>
  )
}
