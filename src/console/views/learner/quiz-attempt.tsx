import { useEffect, useRef, useState } from "preact/hooks"
import { number, t } from "../../messages/messages.ts"
import { Form } from "../../ui/form.tsx"
import { QuestionField } from "./quiz-question.tsx"
import { type Answer, type Answers, type Attempt, isAnswered, isOnePerPage, setOnePerPage } from "./quiz-storage.ts"

interface QuizAttemptProps {
  attempt: Attempt
  answers: Answers
  onAnswer: (questionId: number, answer: Answer) => void
  onSubmit: () => Promise<unknown>
}

/** The number of each question, with a mark for those that are answered. */
function QuestionNumbers({
  attempt,
  answers,
  current,
  onSelect,
}: Omit<QuizAttemptProps, "onAnswer" | "onSubmit"> & { current: number; onSelect: (index: number) => void }) {
  return (
    <nav aria-label={t("learner:quiz.questions")}>
      <ol class="question-numbers">
        {attempt.questions.map((question, index) => (
          <li key={question.id}>
            <button
              type="button"
              class={isAnswered(answers, question) ? "answered" : ""}
              aria-current={index === current ? "step" : undefined}
              onClick={() => onSelect(index)}
            >
              {number(index + 1)}
              <span class="unseen">
                {isAnswered(answers, question) ? t("learner:quiz.is-answered") : t("learner:quiz.is-unanswered")}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The questions of an attempt: all on one page, or one after the other. */
export function QuizAttempt({ attempt, answers, onAnswer, onSubmit }: QuizAttemptProps) {
  const [isSingle, setIsSingle] = useState(isOnePerPage)
  const [current, setCurrent] = useState(0)
  const page = useRef<HTMLElement>(null)
  const hasMoved = useRef(false)
  const { questions } = attempt
  const last = questions.length - 1
  const answered = questions.filter((question) => isAnswered(answers, question)).length
  const select = (index: number) => {
    hasMoved.current = true
    setCurrent(index)
  }
  useEffect(() => {
    if (hasMoved.current) page.current?.focus()
  }, [current])
  const shown = isSingle ? questions.slice(current, current + 1) : questions
  const hasNext = isSingle && current < last
  return (
    <>
      {questions.length > 1 && (
        <div class="check">
          <input
            type="checkbox"
            id="one-per-page"
            checked={isSingle}
            onChange={({ currentTarget: { checked } }) => {
              setOnePerPage(checked)
              setIsSingle(checked)
            }}
          />
          <label for="one-per-page">{t("learner:quiz.one-per-page")}</label>
        </div>
      )}
      {isSingle && <QuestionNumbers attempt={attempt} answers={answers} current={current} onSelect={select} />}
      <Form
        submit={hasNext ? t("learner:quiz.next") : t("learner:quiz.submit")}
        onSubmit={async () => (hasNext ? select(current + 1) : onSubmit())}
        isAutoSaved
        more={
          isSingle &&
          current > 0 && (
            <button type="button" onClick={() => select(current - 1)}>
              {t("learner:quiz.previous")}
            </button>
          )
        }
      >
        <section
          ref={page}
          class="questions"
          tabIndex={-1}
          onKeyDown={(event) => {
            // Enter in an answer must not submit the quiz.
            if (event.key === "Enter" && !hasNext && event.target instanceof HTMLInputElement) event.preventDefault()
          }}
          aria-label={
            isSingle
              ? t("learner:quiz.progress", { place: number(current + 1), of: number(questions.length) })
              : t("learner:quiz.questions")
          }
        >
          {shown.map((question) => (
            <QuestionField
              key={question.id}
              question={question}
              position={questions.indexOf(question) + 1}
              answer={answers[question.id] ?? {}}
              onAnswer={(answer) => onAnswer(question.id, answer)}
            />
          ))}
        </section>
        <p role="status">
          {t("learner:quiz.answered", { count: answered, shown: number(answered), of: number(questions.length) })}
        </p>
      </Form>
    </>
  )
}
