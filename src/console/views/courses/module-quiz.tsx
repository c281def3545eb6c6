import { useRef, useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { Form, TextField, type Values } from "../../ui/form.tsx"
import { ModuleFields, toModuleBody } from "./module-fields.tsx"
import type { ModuleFormProps } from "./module-form.ts"
import { toQuestionBody, toQuestionDraft } from "./question-draft.ts"
import { QuizQuestions } from "./quiz-questions.tsx"
import { useSaveModule } from "./save-module.ts"

const DEFAULT_PASS_PERCENT = 70

type QuizBody = ReturnType<typeof toModuleBody> & { questions: ReturnType<typeof toQuestionBody>[] }

export function QuizModule({ module, version = "", refetch }: ModuleFormProps<"quiz">) {
  const createDraft = () => ({ version, questions: (module?.questions ?? []).map(toQuestionDraft) })
  const [draft, setDraft] = useState(createDraft)
  const wasSaved = useRef(false)
  if (draft.version !== version) {
    // After a save, takes over the ids that the API assigned. A change of someone else does not discard the draft.
    setDraft(wasSaved.current ? createDraft() : { version, questions: draft.questions })
    wasSaved.current = false
  }
  const { questions } = draft
  const save = useSaveModule({
    type: "quiz",
    id: module?.id,
    refetch,
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
    questions: questions.map(toQuestionBody),
  })
  return (
    <Form submit={module ? t("save") : t("create")} onSubmit={(values) => save(toBody(values))}>
      <ModuleFields module={module} content={t("courses:module.description")} />
      <TextField
        name="passPercent"
        label={t("courses:quiz.pass")}
        type="number"
        min={0}
        max={100}
        defaultValue={module?.passPercent ?? DEFAULT_PASS_PERCENT}
      />
      <TextField
        name="maxAttempts"
        label={t("courses:quiz.attempts")}
        hint={t("courses:unlimited.hint")}
        type="number"
        min={0}
        max={1000}
        defaultValue={module?.maxAttempts || ""}
      />
      <TextField
        name="timeLimitMinutes"
        label={t("courses:quiz.time-limit")}
        hint={t("courses:unlimited.hint")}
        type="number"
        min={0}
        max={10_000}
        defaultValue={module?.timeLimitMinutes || ""}
      />
      <QuizQuestions questions={questions} onChange={(next) => setDraft({ version, questions: next })} />
    </Form>
  )
}
