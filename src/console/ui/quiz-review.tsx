import { Check, X } from "lucide-preact"
import type { DataOf } from "../../client/index.ts"
import { number, t } from "../messages/messages.ts"
import { Badge } from "./badge.tsx"
import { QuestionImage } from "./question-image.tsx"

export type ReviewedAttempt = DataOf<"/api/quiz/attempt/{id}", "get">
type Question = ReviewedAttempt["questions"][number]
type Answer = Question["answer"]

const OPTION_TYPES: readonly string[] = ["single", "multiple", "truefalse"]

/** Each option with what was selected, and what is correct. */
function ReviewedOptions({ question }: { question: Question }) {
  const correct = question.correctAnswer?.optionIds
  return (
    <ul class="reviewed-options">
      {question.options.map(({ id, text }) => {
        const isSelected = question.answer.optionIds.includes(id)
        const isCorrect = correct?.includes(id)
        return (
          <li key={id} class={isCorrect ? "correct" : isSelected && correct ? "incorrect" : ""}>
            <bdi>{text}</bdi> {isSelected && <Badge>{t("review.selected")}</Badge>}{" "}
            {isCorrect && <Badge status="passed">{t("review.correct-answer")}</Badge>}
          </li>
        )
      })}
    </ul>
  )
}

/** The parts of an answer that is no option. */
function partsOf(question: Question, { text, values }: Answer): string[] {
  if (question.type === "matching")
    return question.prompts.map((prompt, at) => `${prompt} → ${values[at] || t("review.no-answer")}`)
  if (question.type === "ordering" || question.type === "fillin")
    return values.map((value) => value || t("review.no-answer"))
  return text.trim() === "" ? [] : [`${text} ${question.unit}`.trim()]
}

function TextAnswer({ label, question, answer }: { label: string; question: Question; answer: Answer }) {
  const parts = partsOf(question, answer)
  return (
    <>
      <dt>{label}</dt>
      <dd>
        {parts.length > 1 ? (
          <ol>
            {parts.map((part, at) => (
              <li key={`${part}${String(at)}`} dir="auto">
                {part}
              </li>
            ))}
          </ol>
        ) : (
          <p class="lines" dir="auto">
            {parts[0] ?? t("review.no-answer")}
          </p>
        )}
      </dd>
    </>
  )
}

function Mark({ question }: { question: Question }) {
  if (question.isCorrect === null) return <span class="badge info">{t("review.pending")}</span>
  const isPart = !question.isCorrect && (question.pointsAwarded ?? 0) > 0
  const [tone, label] = question.isCorrect
    ? (["good", "review.correct"] as const)
    : isPart
      ? (["warning", "review.part"] as const)
      : (["danger", "review.incorrect"] as const)
  return (
    <span class={`badge ${tone}`}>
      {question.isCorrect ? <Check size={14} aria-hidden /> : !isPart && <X size={14} aria-hidden />} {t(label)}
    </span>
  )
}

function ReviewedQuestion({ question, position }: { question: Question; position: number }) {
  const isOptions = OPTION_TYPES.includes(question.type)
  return (
    <li class="question">
      <p class="question-head">
        <strong>{t("review.question", { place: number(position) })}</strong> <Mark question={question} />{" "}
        <span class="quiet">
          {question.pointsAwarded === null
            ? t("review.of-points", { count: question.points, shown: number(question.points) })
            : t("review.points", { points: number(question.pointsAwarded), of: number(question.points) })}
        </span>
      </p>
      <p class="question-text" dir="auto">
        {question.text}
      </p>
      <QuestionImage url={question.imageUrl} alt={question.imageAlt} />
      {isOptions && <ReviewedOptions question={question} />}
      {(!isOptions || question.comment) && (
        <dl class="facts">
          {!isOptions && <TextAnswer label={t("review.your-answer")} question={question} answer={question.answer} />}
          {!isOptions && question.correctAnswer && !question.isCorrect && (
            <TextAnswer label={t("review.correct-answer")} question={question} answer={question.correctAnswer} />
          )}
          {question.comment && (
            <>
              <dt>{t("review.comment")}</dt>
              <dd class="lines" dir="auto">
                {question.comment}
              </dd>
            </>
          )}
          {question.explanation && (
            <>
              <dt>{t("review.explanation")}</dt>
              <dd class="lines" dir="auto">
                {question.explanation}
              </dd>
            </>
          )}
        </dl>
      )}
    </li>
  )
}

/** The questions of a submitted attempt with the answers, and as far as it may be shown, what is correct. */
export const QuizReview = ({ attempt }: { attempt: ReviewedAttempt }) => (
  <ol class="reviewed">
    {attempt.questions.map((question, index) => (
      <ReviewedQuestion key={question.id} question={question} position={index + 1} />
    ))}
  </ol>
)
