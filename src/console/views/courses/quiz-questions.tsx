import { useRef } from "preact/hooks"
import { number, t } from "../../messages/messages.ts"
import { SortableList } from "../../ui/sortable-list.tsx"
import { newQuestion, type QuestionDraft } from "./question-draft.ts"
import { QuizQuestion } from "./quiz-question.tsx"

interface QuizQuestionsProps {
  questions: readonly QuestionDraft[]
  /** The points of what the quiz draws. */
  drawnPoints: number
  onChange: (questions: QuestionDraft[]) => void
}

export function QuizQuestions({ questions, drawnPoints, onChange }: QuizQuestionsProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  const points = questions.reduce((sum, question) => sum + question.points, drawnPoints)
  return (
    <section aria-labelledby="questions">
      <h2 id="questions" ref={heading} tabIndex={-1}>
        {t("courses:quiz.questions")}
      </h2>
      <p class="quiet">{t("courses:quiz.points", { count: points, shown: number(points) })}</p>
      <SortableList
        label={t("courses:quiz.questions")}
        items={questions}
        keyOf={({ key }) => key}
        nameOf={({ text }) => text || t("courses:quiz.unnamed")}
        onReorder={onChange}
      >
        {(question, index) => (
          <QuizQuestion
            question={question}
            index={index}
            onChange={(changed) => onChange(questions.map((one) => (one.key === changed.key ? changed : one)))}
            onRemove={() => {
              onChange(questions.filter(({ key }) => key !== question.key))
              heading.current?.focus()
            }}
          />
        )}
      </SortableList>
      <button type="button" onClick={() => onChange([...questions, newQuestion()])}>
        {t("courses:quiz.add")}
      </button>
    </section>
  )
}
