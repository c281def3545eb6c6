import { useEffect, useRef, useState } from "preact/hooks"
import { type DataOf, LecternError } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { invalidatePaths, useChange } from "../../api/queries.ts"
import { number, percent, successText, t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import type { ModuleProps } from "./module-props.ts"
import { QuizAttempt } from "./quiz-attempt.tsx"
import { Countdown } from "./quiz-countdown.tsx"
import { AttemptList, AttemptReview } from "./quiz-result.tsx"
import { QuizRules } from "./quiz-rules.tsx"
import {
  type Answers,
  type Attempt,
  clearAttempt,
  isAnswered,
  isAttemptOpen,
  loadAnswers,
  markAttemptOpen,
  saveAnswers,
} from "./quiz-storage.ts"
import { PROGRESS_QUERIES } from "./shared.tsx"

type Result = DataOf<"/api/quiz/submit", "post">

const QUIZ_QUERIES = [...PROGRESS_QUERIES, "/api/quiz"]

/** A quiz: its rules, an attempt, and the result. A reload continues the open attempt. */
export default function QuizModule({ registrationId, module }: ModuleProps) {
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
  const submission = useRef<Promise<void>>()
  const { quiz } = module

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
      if (!quiz?.is_attempt_open) void invalidatePaths(PROGRESS_QUERIES)
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
    invalidates: QUIZ_QUERIES,
  })
  const close = (attemptId: number) => {
    clearAttempt(registrationId, moduleId, attemptId)
    setIsConfirming(false)
    setAttempt(undefined)
  }
  const send = async (submitted: Attempt) => {
    try {
      const response = await submit.mutateAsync(submitted)
      close(submitted.attemptId)
      setResult(response)
    } catch (failure) {
      if (!(failure instanceof LecternError) || failure.code !== "already_submitted") throw failure
      // In another tab or on another device.
      close(submitted.attemptId)
      setError(failure)
      await invalidatePaths(QUIZ_QUERIES)
    }
  }
  /** Submits once, also when the time ends meanwhile. */
  const submitAttempt = (submitted: Attempt) => {
    submission.current ??= send(submitted).finally(() => {
      submission.current = undefined
    })
    return submission.current
  }
  useEffect(() => {
    // An attempt that was submitted elsewhere must not start another one.
    if (quiz?.is_attempt_open && isAttemptOpen(registrationId, moduleId)) start()
  }, [])
  useEffect(() => {
    if (result) resultHeading.current?.focus()
  }, [result])

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
            <h3 ref={resultHeading} tabIndex={-1}>
              {successText(result.message)}
            </h3>
            <p>
              {t("learner:quiz.score", {
                score: number(result.score),
                outOf: number(result.outOf),
                percent: percent(result.percent / 100),
              })}
              {result.pendingPoints > 0 &&
                ` ${t("learner:quiz.pending", { count: result.pendingPoints, shown: number(result.pendingPoints) })}`}
            </p>
            <AttemptReview attemptId={result.attemptId} />
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
        ) : quiz?.is_awaiting_grading ? (
          <p>{t("learner:quiz.awaiting-grading")}</p>
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
        {!result && <AttemptList registrationId={registrationId} moduleId={moduleId} />}
      </>
    )
  const total = attempt.questions.length
  const answered = attempt.questions.filter((question) => isAnswered(answers, question)).length
  return (
    <>
      <p class="quiet">{t("learner:quiz.attempt", { number: number(attempt.attempt) })}</p>
      {deadline !== undefined && <Countdown deadline={deadline} onEnd={() => submitAttempt(attempt).catch(setError)} />}
      <ErrorMessage error={error} />
      <QuizAttempt
        attempt={attempt}
        answers={answers}
        onAnswer={(questionId, answer) => {
          const next = { ...answers, [questionId]: answer }
          setAnswers(next)
          saveAnswers(attempt.attemptId, next)
        }}
        onSubmit={async () => (answered < total ? setIsConfirming(true) : submitAttempt(attempt))}
      />
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
