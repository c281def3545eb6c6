import { CopyPlus } from "lucide-preact"
import { number, t } from "../../messages/messages.ts"
import { openDialog } from "../../ui/dialog-host.tsx"
import { TextField } from "../../ui/form.tsx"
import { CopyQuestionDialog } from "./copy-question.tsx"
import type { QuestionDraft } from "./question-draft.ts"
import { QuestionFields } from "./question-fields.tsx"

interface QuizQuestionProps {
  question: QuestionDraft
  /** Zero-based. */
  index: number
  onChange: (question: QuestionDraft) => void
  onRemove: () => void
}

/** A question of a quiz. */
export const QuizQuestion = ({ question, index, onChange, onRemove }: QuizQuestionProps) => (
  <fieldset class="question-draft">
    <legend>{t("courses:quiz.question", { place: number(index + 1) })}</legend>
    <QuestionFields
      question={question}
      nameOf={(field) => `questions.${index}.${field}`}
      onChange={onChange}
      more={
        <TextField
          name={`questions.${index}.points`}
          label={t("courses:points")}
          type="number"
          min={0}
          max={10_000}
          value={question.points}
          onInput={({ currentTarget: { valueAsNumber } }) => onChange({ ...question, points: valueAsNumber || 0 })}
        />
      }
    />
    <div class="actions">
      <button
        type="button"
        onClick={() => openDialog((close) => <CopyQuestionDialog question={question} onClose={() => close()} />)}
      >
        <CopyPlus size={16} aria-hidden /> {t("courses:quiz.copy", { place: number(index + 1) })}
      </button>
      <button type="button" onClick={onRemove}>
        {t("courses:quiz.remove", { place: number(index + 1) })}
      </button>
    </div>
  </fieldset>
)
