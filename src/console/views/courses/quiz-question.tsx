import { useId } from "preact/hooks"
import { number, t } from "../../messages/messages.ts"
import { FieldErrors, Select, TextArea, TextField } from "../../ui/form.tsx"
import { SortableList } from "../../ui/sortable-list.tsx"
import { optionsFor } from "./labels.ts"
import { newOption, type OptionDraft, type QuestionDraft } from "./question-draft.ts"

const TYPES = ["single", "multiple", "truefalse", "short"] as const

/** Changes the type. Types with one correct choice keep the first that is marked. */
function withType(question: QuestionDraft, type: QuestionDraft["type"]): QuestionDraft {
  if (type === "short") return { ...question, type }
  const options =
    type === "truefalse" && question.options.every(({ text }) => text === "")
      ? [newOption(t("courses:quiz.true"), true), newOption(t("courses:quiz.false"))]
      : question.options.length === 0
        ? [newOption("", true), newOption()]
        : question.options
  const firstCorrect = options.find(({ correct }) => correct)
  if (type === "multiple") return { ...question, type, options }
  return { ...question, type, options: options.map((option) => ({ ...option, correct: option === firstCorrect })) }
}

interface QuizQuestionProps {
  question: QuestionDraft
  /** Zero-based. */
  index: number
  onChange: (question: QuestionDraft) => void
  onRemove: () => void
}

export function QuizQuestion({ question, index, onChange, onRemove }: QuizQuestionProps) {
  const id = useId()
  const fieldPath = `questions.${index}`
  const { type, options } = question
  const setOptions = (next: OptionDraft[]) => onChange({ ...question, options: next })
  const setCorrect = (option: OptionDraft, correct: boolean) =>
    setOptions(
      options.map((one) => {
        if (one.key === option.key) return { ...one, correct }
        return type === "multiple" ? one : { ...one, correct: false }
      }),
    )
  return (
    <fieldset class="question">
      <legend>{t("courses:quiz.question", { place: number(index + 1) })}</legend>
      <TextArea
        name={`${fieldPath}.text`}
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
          name={`${fieldPath}.type`}
          label={t("courses:type")}
          value={type}
          options={optionsFor("question", TYPES)}
          onChange={(value) => onChange(withType(question, TYPES.find((candidate) => candidate === value) ?? "single"))}
        />
        <TextField
          name={`${fieldPath}.points`}
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
          name={`${fieldPath}.answers`}
          label={t("courses:quiz.answers")}
          hint={t("courses:quiz.answers.hint")}
          rows={3}
          dir="auto"
          value={question.answers}
          onInput={({ currentTarget: { value } }) => onChange({ ...question, answers: value })}
        />
      ) : (
        <>
          <FieldErrors name={`${fieldPath}.options`} label={t("courses:quiz.choices")} id={`${id}-options`} />
          <SortableList
            label={t("courses:quiz.choices")}
            items={options}
            keyOf={({ key }) => key}
            nameOf={({ text }) => text || t("courses:quiz.unnamed-choice")}
            onReorder={setOptions}
          >
            {(option, optionIndex) => (
              <div class="option">
                <TextField
                  name={`${fieldPath}.options.${optionIndex}.text`}
                  label={t("courses:quiz.choice", { place: number(optionIndex + 1) })}
                  required
                  maxLength={2000}
                  dir="auto"
                  value={option.text}
                  onInput={({ currentTarget: { value } }) =>
                    setOptions(options.map((one) => (one.key === option.key ? { ...one, text: value } : one)))
                  }
                />
                <div class="check">
                  <input
                    type={type === "multiple" ? "checkbox" : "radio"}
                    id={`${id}-${option.key}`}
                    name={`${fieldPath}.right`}
                    checked={option.correct}
                    onChange={({ currentTarget: { checked } }) => setCorrect(option, checked)}
                  />
                  <label for={`${id}-${option.key}`}>{t("courses:quiz.correct")}</label>
                </div>
                <button
                  type="button"
                  disabled={options.length <= 2}
                  aria-label={t("courses:remove", { name: option.text || t("courses:quiz.unnamed-choice") })}
                  onClick={() => setOptions(options.filter(({ key }) => key !== option.key))}
                >
                  {t("remove")}
                </button>
              </div>
            )}
          </SortableList>
        </>
      )}
      <div class="actions">
        {type !== "short" && type !== "truefalse" && (
          <button type="button" onClick={() => setOptions([...options, newOption()])}>
            {t("courses:quiz.add-choice")}
          </button>
        )}
        <button type="button" onClick={onRemove}>
          {t("courses:quiz.remove", { place: number(index + 1) })}
        </button>
      </div>
    </fieldset>
  )
}
