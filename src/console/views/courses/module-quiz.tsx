import { useRef, useState } from "preact/hooks"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { Form, type Values } from "../../ui/form.tsx"
import { ModuleFields, toModuleBody } from "./module-fields.tsx"
import type { ModuleFormProps } from "./module-form.ts"
import { type QuestionDraft, toQuestionBody, toQuestionDraft, withStored } from "./question-draft.ts"
import { type DrawDraft, newDraw, QuizDraws } from "./quiz-draws.tsx"
import { QuizQuestions } from "./quiz-questions.tsx"
import { QuizSettings } from "./quiz-settings.tsx"
import { useSaveModule } from "./save-module.ts"

type QuizBody = ReturnType<typeof toModuleBody> & { questions: ReturnType<typeof toQuestionBody>[] }
type Quiz = Schemas["QuizModule"]

interface QuizDraft {
  version: string
  questions: QuestionDraft[]
  draws: DrawDraft[]
  isEdited: boolean
}

const pick = <T extends string>(value: string) => value as T

export function QuizModule({ module, version = "", refetch, onSaved }: ModuleFormProps<"quiz">) {
  const createDraft = () => ({
    version,
    questions: (module?.questions ?? []).map(toQuestionDraft),
    draws: (module?.draws ?? []).map(newDraw),
    isEdited: false,
  })
  const [draft, setDraft] = useState<QuizDraft>(createDraft)
  const wasSaved = useRef(false)
  const sent = useRef(draft)
  if (draft.version !== version) {
    // Neither a save nor a change of someone else discards edits.
    const stored = createDraft()
    if (wasSaved.current) {
      const { questions, draws } = sent.current
      setDraft({
        ...stored,
        questions: withStored(draft.questions, questions, stored.questions),
        draws: draft.draws === draws ? stored.draws : draft.draws,
        isEdited: draft.questions !== questions || draft.draws !== draws,
      })
    } else setDraft(draft.isEdited ? { ...draft, version } : stored)
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
      // A save without changes kept the version.
      wasSaved.current = false
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
    <Form
      submit={module ? t("save") : t("create")}
      onSubmit={(values) => {
        sent.current = draft
        return save(toBody(values))
      }}
    >
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
        onChange={(next) => setDraft({ ...draft, questions: next, isEdited: true })}
      />
      <QuizDraws draws={draws} onChange={(next) => setDraft({ ...draft, draws: next, isEdited: true })} />
    </Form>
  )
}
