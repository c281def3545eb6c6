import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"
import { number, t } from "../../messages/messages.ts"
import { QuestionImage } from "../../ui/question-image.tsx"
import { SortableList } from "../../ui/sortable-list.tsx"
import type { Answer, Question } from "./quiz-storage.ts"

interface AnswerProps {
  question: Question
  answer: Answer
  onAnswer: (answer: Answer) => void
  /** The id of the element with the question. */
  labelledBy: string
}

const BLANK = /_{3,}/

function Options({ question, answer, onAnswer, labelledBy }: AnswerProps) {
  const isMultiple = question.type === "multiple"
  const selected = answer.optionIds ?? []
  return (
    <fieldset class="borderless" aria-labelledby={labelledBy}>
      {question.options.map((option) => {
        const id = `${labelledBy}-${option.id}`
        return (
          <div class="check" key={option.id}>
            <input
              type={isMultiple ? "checkbox" : "radio"}
              id={id}
              name={labelledBy}
              checked={selected.includes(option.id)}
              onChange={({ currentTarget }) => {
                const others = isMultiple ? selected.filter((one) => one !== option.id) : []
                onAnswer({ optionIds: currentTarget.checked ? [...others, option.id] : others })
              }}
            />
            <label for={id}>{option.text}</label>
          </div>
        )
      })}
    </fieldset>
  )
}

const replaced = (values: readonly string[], count: number, at: number, value: string) =>
  Array.from({ length: count }, (_, place) => (place === at ? value : (values[place] ?? "")))

/** A select for each prompt. */
function Matching({ question, answer, onAnswer, labelledBy }: AnswerProps) {
  const values = answer.values ?? []
  return (
    <fieldset class="borderless pairs" aria-labelledby={labelledBy}>
      {question.prompts.map((prompt, at) => {
        const id = `${labelledBy}-${at}`
        return (
          <div key={id} class="pair">
            <label for={id}>{prompt}</label>
            <select
              id={id}
              onChange={({ currentTarget: { value } }) =>
                onAnswer({ values: replaced(values, question.prompts.length, at, value) })
              }
            >
              <option value="" selected={!values[at]}>
                {t("learner:quiz.choose")}
              </option>
              {question.choices.map((choice) => (
                <option key={choice} value={choice} selected={values[at] === choice}>
                  {choice}
                </option>
              ))}
            </select>
          </div>
        )
      })}
    </fieldset>
  )
}

const Ordering = ({ question, answer, onAnswer }: AnswerProps) => (
  <SortableList
    label={question.text}
    items={answer.values?.length ? answer.values : question.choices}
    keyOf={(choice) => choice}
    nameOf={(choice) => choice}
    onReorder={(values) => onAnswer({ values })}
  >
    {(choice) => <span dir="auto">{choice}</span>}
  </SortableList>
)

/** The text of the question with a field in place of each blank. */
function FillIn({ question, answer, onAnswer, labelledBy }: AnswerProps) {
  const values = answer.values ?? []
  return (
    <p class="blanks" id={labelledBy} dir="auto">
      {question.text.split(BLANK).map((part, at) => (
        <span key={`${part}${String(at)}`}>
          {part}
          {at < question.blanks && (
            <input
              type="text"
              maxLength={500}
              autocomplete="off"
              aria-label={t("learner:quiz.blank", { place: number(at + 1) })}
              value={values[at] ?? ""}
              onInput={({ currentTarget: { value } }) =>
                onAnswer({ values: replaced(values, question.blanks, at, value) })
              }
            />
          )}
        </span>
      ))}
    </p>
  )
}

function TextAnswer({ question, answer, onAnswer, labelledBy }: AnswerProps) {
  const shared = { "aria-labelledby": labelledBy, value: answer.text ?? "", dir: "auto" as const }
  if (question.type === "essay")
    return (
      <textarea
        {...shared}
        rows={8}
        maxLength={20_000}
        onInput={({ currentTarget: { value } }) => onAnswer({ text: value })}
      />
    )
  const isNumeric = question.type === "numeric"
  return (
    <p class="with-unit">
      <input
        {...shared}
        type="text"
        inputMode={isNumeric ? "decimal" : "text"}
        maxLength={isNumeric ? 50 : 5000}
        autocomplete="off"
        onInput={({ currentTarget: { value } }) => onAnswer({ text: value })}
      />{" "}
      {question.unit}
    </p>
  )
}

const FIELDS: Partial<Record<Question["type"], (props: AnswerProps) => ComponentChildren>> = {
  matching: Matching,
  ordering: Ordering,
  fillin: FillIn,
  short: TextAnswer,
  numeric: TextAnswer,
  essay: TextAnswer,
}

/** What to do, for types that do not show it. */
const HINTS: Partial<Record<Question["type"], string>> = {
  multiple: "learner:quiz.multiple",
  matching: "learner:quiz.matching",
  ordering: "learner:quiz.ordering",
  fillin: "learner:quiz.fillin",
}

interface QuestionFieldProps extends Omit<AnswerProps, "labelledBy"> {
  /** One-based. */
  position: number
}

/** A question of an attempt with its answer. */
export function QuestionField({ question, position, answer, onAnswer }: QuestionFieldProps) {
  const id = useId()
  const Answered = FIELDS[question.type] ?? Options
  const hint = HINTS[question.type]
  return (
    <section class="question" aria-labelledby={`${id}-place`}>
      <p class="question-head" id={`${id}-place`}>
        <strong>{t("learner:quiz.place", { place: number(position) })}</strong>{" "}
        <span class="quiet">{t("learner:points", { count: question.points, shown: number(question.points) })}</span>
      </p>
      {question.type !== "fillin" && (
        <p class="question-text" id={id} dir="auto">
          {question.text}
        </p>
      )}
      {hint && <p class="quiet">{t(hint)}</p>}
      <QuestionImage url={question.imageUrl} alt={question.imageAlt} />
      <Answered question={question} answer={answer} onAnswer={onAnswer} labelledBy={id} />
    </section>
  )
}
