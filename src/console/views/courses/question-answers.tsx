import { useId } from "preact/hooks"
import { number, t } from "../../messages/messages.ts"
import { FieldErrors, TextArea, TextField } from "../../ui/form.tsx"
import { SortableList } from "../../ui/sortable-list.tsx"
import { countBlanks, newOption, type OptionDraft, type QuestionDraft } from "./question-draft.ts"

export interface QuestionProps {
  question: QuestionDraft
  /** The API's name of a field of the question. */
  nameOf: (field: string) => string
  onChange: (question: QuestionDraft) => void
}

const EXCLUSIVE: readonly QuestionDraft["type"][] = ["single", "truefalse"]
const MARKED: readonly QuestionDraft["type"][] = ["single", "multiple", "truefalse"]

/** Choices, prompts with their matches, or items in their order. */
function Options({ question, nameOf, onChange }: QuestionProps) {
  const id = useId()
  const { type, options } = question
  const setOptions = (next: OptionDraft[]) => onChange({ ...question, options: next })
  const setOption = (key: number, changes: Partial<OptionDraft>) =>
    setOptions(options.map((one) => (one.key === key ? { ...one, ...changes } : one)))
  const setCorrect = (option: OptionDraft, correct: boolean) =>
    setOptions(
      options.map((one) => {
        if (one.key === option.key) return { ...one, correct }
        return EXCLUSIVE.includes(type) ? { ...one, correct: false } : one
      }),
    )
  const label = type === "matching" ? "prompt" : type === "ordering" ? "item" : "choice"
  return (
    <>
      {type === "ordering" && <p class="quiet">{t("courses:quiz.ordering.hint")}</p>}
      <FieldErrors name={nameOf("options")} label={t("courses:quiz.choices")} id={`${id}-options`} />
      <SortableList
        label={t("courses:quiz.choices")}
        items={options}
        keyOf={({ key }) => key}
        nameOf={({ text }) => text || t("courses:quiz.unnamed-choice")}
        onReorder={setOptions}
      >
        {(option, index) => (
          <div class="option">
            <TextField
              name={nameOf(`options.${index}.text`)}
              label={t(`courses:quiz.${label}`, { place: number(index + 1) })}
              required
              maxLength={2000}
              dir="auto"
              value={option.text}
              onInput={({ currentTarget: { value } }) => setOption(option.key, { text: value })}
            />
            {type === "matching" && (
              <TextField
                name={nameOf(`options.${index}.match`)}
                label={t("courses:quiz.match")}
                required
                maxLength={500}
                dir="auto"
                value={option.match}
                onInput={({ currentTarget: { value } }) => setOption(option.key, { match: value })}
              />
            )}
            {MARKED.includes(type) && (
              <div class="check">
                <input
                  type={EXCLUSIVE.includes(type) ? "radio" : "checkbox"}
                  id={`${id}-${option.key}`}
                  name={nameOf("right")}
                  checked={option.correct}
                  onChange={({ currentTarget: { checked } }) => setCorrect(option, checked)}
                />
                <label for={`${id}-${option.key}`}>{t("courses:quiz.correct")}</label>
              </div>
            )}
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
      {type !== "truefalse" && (
        <div class="actions">
          <button type="button" onClick={() => setOptions([...options, newOption()])}>
            {t("courses:quiz.add-choice")}
          </button>
        </div>
      )}
      {type === "matching" && <Lines {...{ question, nameOf, onChange }} label={t("courses:quiz.wrong-matches")} />}
    </>
  )
}

const Lines = ({ question, nameOf, onChange, label }: QuestionProps & { label: string }) => (
  <TextArea
    name={nameOf("answers")}
    label={label}
    hint={t("courses:quiz.answers.hint")}
    rows={3}
    dir="auto"
    value={question.answers}
    onInput={({ currentTarget: { value } }) => onChange({ ...question, answers: value })}
  />
)

function Numeric({ question, nameOf, onChange }: QuestionProps) {
  const { numeric } = question
  const set = (changes: Partial<typeof numeric>) => onChange({ ...question, numeric: { ...numeric, ...changes } })
  return (
    <div class="filters">
      <TextField
        name={nameOf("numeric")}
        label={t("courses:quiz.value")}
        type="number"
        step="any"
        required
        value={numeric.value}
        onInput={({ currentTarget: { value } }) => set({ value })}
      />
      <TextField
        name={nameOf("numeric.tolerance")}
        label={t("courses:quiz.tolerance")}
        hint={t("courses:quiz.tolerance.hint")}
        type="number"
        step="any"
        min={0}
        value={numeric.tolerance}
        onInput={({ currentTarget: { value } }) => set({ tolerance: value })}
      />
      <TextField
        name={nameOf("numeric.unit")}
        label={t("courses:quiz.unit")}
        maxLength={20}
        value={numeric.unit}
        onInput={({ currentTarget: { value } }) => set({ unit: value })}
      />
    </div>
  )
}

function Blanks({ question, nameOf, onChange }: QuestionProps) {
  const id = useId()
  const count = countBlanks(question.text)
  return (
    <>
      <p class="quiet">{t("courses:quiz.blanks.hint")}</p>
      <FieldErrors name={nameOf("blanks")} label={t("courses:quiz.answers")} id={`${id}-blanks`} />
      {Array.from({ length: count }, (_, at) => (
        <TextArea
          key={at}
          name={nameOf(`blanks.${at}`)}
          label={t("courses:quiz.blank", { place: number(at + 1) })}
          hint={t("courses:quiz.answers.hint")}
          rows={2}
          dir="auto"
          required
          value={question.blanks[at] ?? ""}
          onInput={({ currentTarget: { value } }) =>
            onChange({
              ...question,
              blanks: Array.from({ length: count }, (__, place) =>
                place === at ? value : (question.blanks[place] ?? ""),
              ),
            })
          }
        />
      ))}
    </>
  )
}

/** The fields for the answers of a question, by its type. */
export function QuestionAnswers(props: QuestionProps) {
  switch (props.question.type) {
    case "short":
      return <Lines {...props} label={t("courses:quiz.answers")} />
    case "numeric":
      return <Numeric {...props} />
    case "fillin":
      return <Blanks {...props} />
    case "essay":
      return <p class="quiet">{t("courses:quiz.essay.hint")}</p>
    default:
      return <Options {...props} />
  }
}
