import { useEffect, useRef, useState } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { announce } from "../../api/announce.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { number, percent, t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import type { CourseModule, ModuleProps } from "./module-props.ts"
import {
  type Answers,
  type Attempt,
  clearAttempt,
  isAnswered,
  isAttemptOpen,
  loadAnswers,
  markAttemptOpen,
  type Question,
  saveAnswers,
} from "./quiz-storage.ts"
import { formatDuration, PROGRESS_QUERIES } from "./shared.tsx"

type Quiz = NonNullable<CourseModule["quiz"]>
type Result = DataOf<"/api/quiz/submit", "post">

const SECOND_MS = 1000
const SECONDS_PER_MINUTE = 60

function QuestionField({
  question,
  position,
  answers,
  onAnswer,
}: {
  question: Question
  /** One-based. */
  position: number
  answers: Answers
  onAnswer: (answer: Answers[number]) => void
}) {
  const selected = answers[question.id]?.optionIds ?? []
  const name = `question-${question.id}`
  const points = t("learner:points", { count: question.points, shown: number(question.points) })
  if (question.type === "short")
    return (
      <div class="field question">
        <label for={name}>
          {number(position)}. {question.text}
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
        {number(position)}. {question.text}
      </legend>
      {question.options.map((option) => (
        <div class="check" key={option.id}>
          <input
            type={isMultiple ? "checkbox" : "radio"}
            id={`${name}-${option.id}`}
            name={name}
            checked={selected.includes(option.id)}
            onChange={({ currentTarget }) => {
              const others = isMultiple ? selected.filter((id) => id !== option.id) : []
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

/** Countdown to `deadline` (epoch milliseconds); calls `onEnd` once. */
function Countdown({ deadline, onEnd }: { deadline: number; onEnd: () => void }) {
  const [remainingMs, setRemainingMs] = useState(deadline - Date.now())
  const announced = useRef({ end: false, lastMinute: remainingMs <= SECONDS_PER_MINUTE * SECOND_MS })
  useEffect(() => {
    const timer = setInterval(() => {
      const remaining = deadline - Date.now()
      setRemainingMs(remaining)
      if (remaining <= SECONDS_PER_MINUTE * SECOND_MS && !announced.current.lastMinute) {
        announced.current.lastMinute = true
        announce(t("learner:quiz.last-minute"))
      }
      if (remaining <= 0 && !announced.current.end) {
        announced.current.end = true
        onEnd()
      }
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [deadline])
  const seconds = Math.max(0, Math.ceil(remainingMs / SECOND_MS))
  return (
    <p role="timer">
      {t("learner:quiz.time-left", {
        time: [
          number(Math.floor(seconds / SECONDS_PER_MINUTE)),
          number(seconds % SECONDS_PER_MINUTE, { minimumIntegerDigits: 2 }),
        ].join(":"),
      })}
    </p>
  )
}

/** The rules of the quiz, shown before an attempt starts. */
const QuizRules = ({ quiz }: { quiz: Quiz }) => (
  <dl class="facts">
    <dt>{t("learner:quiz.questions")}</dt>
    <dd>{number(quiz.questions)}</dd>
    <dt>{t("learner:quiz.time")}</dt>
    <dd>
      {quiz.time_limit_minutes > 0
        ? formatDuration(quiz.time_limit_minutes * SECONDS_PER_MINUTE)
        : t("learner:quiz.time.none")}
    </dd>
    <dt>{t("learner:quiz.pass")}</dt>
    <dd>
      {quiz.pass_percent > 0
        ? t("learner:quiz.pass.of", { percent: percent(quiz.pass_percent / 100) })
        : t("learner:quiz.pass.any")}
    </dd>
    <dt>{t("learner:quiz.attempts")}</dt>
    <dd>
      {quiz.max_attempts > 0
        ? t("learner:quiz.attempts.of", { used: number(quiz.attempts_used), of: number(quiz.max_attempts) })
        : t("learner:quiz.attempts.unlimited", { used: number(quiz.attempts_used) })}
    </dd>
  </dl>
)

/** A quiz on one page. A reload continues the open attempt. */
export function QuizModule({ registrationId, module }: ModuleProps) {
  const moduleId = module.module_id
  const [attempt, setAttempt] = useState<Attempt>()
  const [deadline, setDeadline] = useState<number>()
  const [answers, setAnswers] = useState<Answers>({})
  const [result, setResult] = useState<Result>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const resultHeading = useRef<HTMLHeadingElement>(null)
  const latestAnswers = useRef(answers)
  latestAnswers.current = answers

  const start = async () => {
    setIsBusy(true)
    setError(undefined)
    try {
      const { data, response } = await api.POST("/api/quiz/attempt", { body: { registrationId, moduleId } })
      // The deadline is in server time: correct it by the clock difference.
      const serverTime = Date.parse(response.headers.get("date") ?? "")
      const clockOffset = Number.isNaN(serverTime) ? 0 : Date.now() - serverTime
      markAttemptOpen(registrationId, moduleId)
      setAnswers(loadAnswers(data.attemptId))
      setDeadline(data.due_on ? Date.parse(data.due_on) + clockOffset : undefined)
      setResult(undefined)
      setAttempt(data)
    } catch (failure) {
      clearAttempt(registrationId, moduleId)
      setError(failure)
    } finally {
      setIsBusy(false)
    }
  }
  const submit = useChange({
    call: ({ attemptId, questions }: Attempt) =>
      api.POST("/api/quiz/submit", {
        body: {
          attemptId,
          answers: questions
            .filter((question) => isAnswered(latestAnswers.current, question))
            .map(({ id }) => ({ questionId: id, ...latestAnswers.current[id] })),
        },
      }),
    invalidates: PROGRESS_QUERIES,
  })
  const submitAttempt = async (submitted: Attempt) => {
    const response = await submit.mutateAsync(submitted)
    clearAttempt(registrationId, moduleId, submitted.attemptId)
    setIsConfirming(false)
    setAttempt(undefined)
    setResult(response)
  }
  useEffect(() => {
    if (isAttemptOpen(registrationId, moduleId)) start()
  }, [])
  useEffect(() => {
    if (result) resultHeading.current?.focus()
  }, [result])

  const { quiz } = module
  const hasNoAttemptsLeft =
    !!quiz && quiz.max_attempts > 0 && quiz.attempts_used >= quiz.max_attempts && !quiz.is_attempt_open
  const startLabel = quiz?.is_attempt_open
    ? t("learner:quiz.continue")
    : result || module.status === "Completed"
      ? t("learner:quiz.retake")
      : t("learner:quiz.start")
  if (!attempt)
    return (
      <>
        {result && (
          <>
            <h3 ref={resultHeading} tabIndex={-1} lang="en" dir="auto">
              {result.message}
            </h3>
            <p>
              {t("learner:quiz.score", {
                score: number(result.score),
                outOf: number(result.outOf),
                percent: percent(result.percent / 100),
              })}
            </p>
          </>
        )}
        {module.points_awarded !== null && (
          <p>{t("learner:best-score", { count: module.points_awarded, shown: number(module.points_awarded) })}</p>
        )}
        <ErrorMessage error={error} />
        {quiz && <QuizRules quiz={quiz} />}
        {!result && <p>{t("learner:quiz.about")}</p>}
        {hasNoAttemptsLeft ? (
          <p>{t("learner:quiz.none-left")}</p>
        ) : (
          <button
            type="button"
            class={module.status === "Completed" ? "" : "primary"}
            disabled={isBusy}
            onClick={start}
          >
            {startLabel}
          </button>
        )}
      </>
    )
  const total = attempt.questions.length
  const answered = attempt.questions.filter((question) => isAnswered(answers, question)).length
  return (
    <>
      <p class="quiet">{t("learner:quiz.attempt", { number: number(attempt.attempt) })}</p>
      {deadline !== undefined && <Countdown deadline={deadline} onEnd={() => submitAttempt(attempt).catch(setError)} />}
      <ErrorMessage error={error} />
      <Form
        submit={t("learner:quiz.submit")}
        onSubmit={async () => (answered < total ? setIsConfirming(true) : submitAttempt(attempt))}
        isAutoSaved
      >
        {attempt.questions.map((question, index) => (
          <QuestionField
            key={question.id}
            question={question}
            position={index + 1}
            answers={answers}
            onAnswer={(answer) => {
              const next = { ...answers, [question.id]: answer }
              setAnswers(next)
              saveAnswers(attempt.attemptId, next)
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
      {isConfirming && (
        <ConfirmDialog
          title={t("learner:quiz.unanswered.title")}
          confirm={t("learner:quiz.submit")}
          onConfirm={() => submitAttempt(attempt)}
          onClose={() => setIsConfirming(false)}
        >
          <p>
            {t("learner:quiz.unanswered", {
              count: total - answered,
              shown: number(total - answered),
              of: number(total),
            })}
          </p>
        </ConfirmDialog>
      )}
    </>
  )
}
