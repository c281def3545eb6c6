import { useRef, useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { Form, type Values } from "../../ui/form.tsx"
import { ModuleFields, toModuleBody } from "./module-fields.tsx"
import type { ModuleFormProps } from "./module-form.ts"
import { type QuestionDraft, toQuestionBody, toQuestionDraft } from "./question-draft.ts"
import { type DrawDraft, newDraw, QuizDraws } from "./quiz-draws.tsx"
import { QuizQuestions } from "./quiz-questions.tsx"
import { QuizSettings } from "./quiz-settings.tsx"
import { useSaveModule } from "./save-module.ts"

type QuizBody = ReturnType<typeof toModuleBody> & { questions: ReturnType<typeof toQuestionBody>[] }
type Quiz = Schemas["QuizModule"]

const pick = <T extends string>(value: string) => value as T

export function QuizModule({ module, version = "", refetch, onSaved }: ModuleFormProps<"quiz">) {
  const createDraft = () => ({
    version,
    questions: (module?.questions ?? []).map(toQuestionDraft),
    draws: (module?.draws ?? []).map(newDraw),
  })
  const [draft, setDraft] = useState<{ version: string; questions: QuestionDraft[]; draws: DrawDraft[] }>(createDraft)
  const wasSaved = useRef(false)
  if (draft.version !== version) {
    // After a save, takes over the ids that the API assigned. A change of someone else does not discard the draft.
    setDraft(wasSaved.current ? createDraft() : { ...draft, version })
    wasSaved.current = false
  }
  const { questions, draws } = draft
  const drawnPoints = draws.reduce((sum, { count, points }) => sum + count * points, 0)
  const save = useSaveModule({
    type: "quiz",
    id: module?.id,
    refetch,
    onSaved,
    create: (body: QuizBody) => api.POST("/api/modules/quiz", { body }),
    change: async (id, body) => {
      const headers = { "If-Match": version }
      const changed = await api.PUT("/api/modules/quiz/{id}", { params: { path: { id } }, body, headers })
      wasSaved.current = true
      return changed
    },
  })
  const toBody = (values: Values) => ({
    ...toModuleBody(values),
    passPercent: values.number("passPercent") ?? 0,
    maxAttempts: values.number("maxAttempts") ?? 0,
    timeLimitMinutes: values.number("timeLimitMinutes") ?? 0,
    shuffleQuestions: values.checked("shuffleQuestions"),
    shuffleOptions: values.checked("shuffleOptions"),
    partialCredit: values.checked("partialCredit"),
    reviewDetail: pick<Quiz["reviewDetail"]>(values.text("reviewDetail")),
    reviewAfter: pick<Quiz["reviewAfter"]>(values.text("reviewAfter")),
    questions: questions.map(toQuestionBody),
    draws: draws.map(({ key: _, ...draw }) => draw),
  })
  return (
    <Form submit={module ? t("save") : t("create")} onSubmit={(values) => save(toBody(values))}>
      {module && (
        <p>
          <a href={`/console/modules/quiz/${module.id}/statistics`}>{t("courses:statistics")}</a>
        </p>
      )}
      <ModuleFields module={module} content={t("courses:module.description")} />
      <QuizSettings module={module} />
      <QuizQuestions
        drawnPoints={drawnPoints}
        questions={questions}
        onChange={(next) => setDraft({ ...draft, questions: next })}
      />
      <QuizDraws draws={draws} onChange={(next) => setDraft({ ...draft, draws: next })} />
    </Form>
  )
}
