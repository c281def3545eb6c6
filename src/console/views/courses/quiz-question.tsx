import { useId } from "preact/hooks"
import { number, t } from "../../messages/messages.ts"
import { Faults, Select, TextArea, TextField } from "../../ui/form.tsx"
import { Ordered } from "../../ui/sortable-list.tsx"
import { choicesOf } from "./labels.ts"
import { newOption, type OptionDraft, type QuestionDraft } from "./question-draft.ts"

const TYPES = ["single", "multiple", "truefalse", "short"] as const

/** One right answer alone, where the type has one: the first that is marked. */
function withType(question: QuestionDraft, type: QuestionDraft["type"]): QuestionDraft {
  if (type === "short") return { ...question, type }
  const options =
    type === "truefalse" && question.options.every(({ text }) => text === "")
      ? [newOption(t("courses:quiz.true"), true), newOption(t("courses:quiz.false"))]
      : question.options.length === 0
        ? [newOption("", true), newOption()]
        : question.options
  const first = options.find(({ correct }) => correct)
  if (type === "multiple") return { ...question, type, options }
  return { ...question, type, options: options.map((option) => ({ ...option, correct: option === first })) }
}

interface QuizQuestionProps {
  question: QuestionDraft
  /** From 0. */
  place: number
  onChange: (question: QuestionDraft) => void
  onRemove: () => void
}

/** One question, its answers, and which of them are right. */
export function QuizQuestion({ question, place, onChange, onRemove }: QuizQuestionProps) {
  const id = useId()
  const at = `questions.${place}`
  const { type, options } = question
  const withOptions = (next: OptionDraft[]) => onChange({ ...question, options: next })
  const mark = (option: OptionDraft, correct: boolean) =>
    withOptions(
      options.map((one) => {
        if (one.key === option.key) return { ...one, correct }
        return type === "multiple" ? one : { ...one, correct: false }
      }),
    )
  return (
    <fieldset class="question">
      <legend>{t("courses:quiz.question", { place: number(place + 1) })}</legend>
      <TextArea
        name={`${at}.text`}
        label={t("courses:quiz.question-text")}
        rows={2}
        required
        maxLength={5000}
        dir="auto"
        value={question.text}
        onInput={({ currentTarget: { value } }) => onChange({ ...question, text: value })}
      />
      <div class="filters">
        <Select
          name={`${at}.type`}
          label={t("courses:type")}
          value={type}
          options={choicesOf("question", TYPES)}
          onChange={(value) => onChange(withType(question, TYPES.find((one) => one === value) ?? "single"))}
        />
        <TextField
          name={`${at}.points`}
          label={t("courses:points")}
          type="number"
          min={0}
          max={10_000}
          value={question.points}
          onInput={({ currentTarget: { valueAsNumber } }) => onChange({ ...question, points: valueAsNumber || 0 })}
        />
      </div>
      {type === "short" ? (
        <TextArea
          name={`${at}.answers`}
          label={t("courses:quiz.answers")}
          hint={t("courses:quiz.answers.hint")}
          rows={3}
          dir="auto"
          value={question.answers}
          onInput={({ currentTarget: { value } }) => onChange({ ...question, answers: value })}
        />
      ) : (
        <>
          <Faults name={`${at}.options`} label={t("courses:quiz.choices")} id={`${id}-options`} />
          <Ordered
            label={t("courses:quiz.choices")}
            items={options}
            keyOf={({ key }) => key}
            nameOf={({ text }) => text || t("courses:quiz.unnamed-choice")}
            onOrder={withOptions}
          >
            {(option, which) => (
              <div class="option">
                <TextField
                  name={`${at}.options.${which}.text`}
                  label={t("courses:quiz.choice", { place: number(which + 1) })}
                  required
                  maxLength={2000}
                  dir="auto"
                  value={option.text}
                  onInput={({ currentTarget: { value } }) =>
                    withOptions(options.map((one) => (one.key === option.key ? { ...one, text: value } : one)))
                  }
                />
                <div class="check">
                  <input
                    type={type === "multiple" ? "checkbox" : "radio"}
                    id={`${id}-${option.key}`}
                    name={`${at}.right`}
                    checked={option.correct}
                    onChange={({ currentTarget: { checked } }) => mark(option, checked)}
                  />
                  <label for={`${id}-${option.key}`}>{t("courses:quiz.correct")}</label>
                </div>
                <button
                  type="button"
                  disabled={options.length <= 2}
                  aria-label={t("courses:remove", { name: option.text || t("courses:quiz.unnamed-choice") })}
                  onClick={() => withOptions(options.filter(({ key }) => key !== option.key))}
                >
                  {t("remove")}
                </button>
              </div>
            )}
          </Ordered>
        </>
      )}
      <div class="actions">
        {type !== "short" && type !== "truefalse" && (
          <button type="button" onClick={() => withOptions([...options, newOption()])}>
            {t("courses:quiz.add-choice")}
          </button>
        )}
        <button type="button" onClick={onRemove}>
          {t("courses:quiz.remove", { place: number(place + 1) })}
        </button>
      </div>
    </fieldset>
  )
}
