import { useRef, useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { t } from "../../messages/messages.ts"
import { Form, TextField, type Values } from "../../ui/form.tsx"
import { ModuleFields, moduleBody } from "./module-fields.tsx"
import type { ModuleFormProps } from "./module-form.ts"
import { draftOf, questionBody } from "./question-draft.ts"
import { QuizQuestions } from "./quiz-questions.tsx"
import { useSaveModule } from "./save-module.ts"

/** What a new quiz asks to pass, until its author says otherwise. */
const USUAL_PASS_PERCENT = 70

type QuizBody = ReturnType<typeof moduleBody> & { questions: ReturnType<typeof questionBody>[] }

/** Questions to be answered. */
export function QuizModule({ module, version = "", reread }: ModuleFormProps<"quiz">) {
  const drafts = () => ({ version, questions: (module?.questions ?? []).map(draftOf) })
  const [draft, setDraft] = useState(drafts)
  const saved = useRef(false)
  if (draft.version !== version) {
    // What was saved has the ids that the service gave: they are sent back with the next change. What somebody else
    // saved takes nothing away that is being written.
    setDraft(saved.current ? drafts() : { version, questions: draft.questions })
    saved.current = false
  }
  const { questions } = draft
  const save = useSaveModule({
    type: "quiz",
    id: module?.id,
    reread,
    create: (body: QuizBody) => api.POST("/api/modules/quiz", { body }),
    change: async (id, body) => {
      const headers = { "If-Match": version }
      const changed = await api.PUT("/api/modules/quiz/{id}", { params: { path: { id } }, body, headers })
      saved.current = true
      return changed
    },
  })
  const bodyOf = (values: Values) => ({
    ...moduleBody(values),
    passPercent: values.number("passPercent") ?? 0,
    maxAttempts: values.number("maxAttempts") ?? 0,
    timeLimitMinutes: values.number("timeLimitMinutes") ?? 0,
    questions: questions.map(questionBody),
  })
  return (
    <Form submit={module ? t("save") : t("create")} onSubmit={(values) => save(bodyOf(values))}>
      <ModuleFields module={module} content={t("courses:module.description")} />
      <TextField
        name="passPercent"
        label={t("courses:quiz.pass")}
        type="number"
        min={0}
        max={100}
        defaultValue={module?.passPercent ?? USUAL_PASS_PERCENT}
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
