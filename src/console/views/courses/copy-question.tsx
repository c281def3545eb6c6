import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { Form } from "../../ui/form.tsx"
import { type QuestionDraft, toContentBody } from "./question-draft.ts"

/** Copies a question of a quiz to a pool of the question bank. */
export function CopyQuestionDialog({ question, onClose }: { question: QuestionDraft; onClose: () => void }) {
  const copy = useChange({
    call: (poolId: number) => {
      const { options, ...content } = toContentBody(question)
      // The ids belong to the question of the quiz.
      const copies = options.map(({ text, correct, match }) => ({ text, correct, match }))
      return api.POST("/api/question/create", { body: { poolId, ...content, options: copies, tags: [] } })
    },
    invalidates: ["/api/question"],
    successMessage: t("courses:quiz.copied"),
  })
  return (
    <Dialog title={t("courses:quiz.copy.title")} onClose={onClose}>
      <Form
        submit={t("courses:quiz.copy.submit")}
        onSubmit={async (values) => {
          await copy.mutateAsync(values.number("poolId") ?? 0)
          onClose()
        }}
        more={<CancelButton />}
      >
        <p dir="auto">{question.text || t("courses:quiz.unnamed")}</p>
        <Combobox
          name="poolId"
          label={t("courses:pool")}
          hint={t("courses:quiz.copy.hint")}
          path="/api/question-pool/tabularlist"
          searchBy="name"
          required
          toChoice={({ id, name }) => ({ id, name })}
        />
      </Form>
    </Dialog>
  )
}
