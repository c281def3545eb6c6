import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import type { Choice } from "../../ui/choice.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { CancelButton, Dialog } from "../../ui/dialog.tsx"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { type QuestionDraft, toContentBody } from "./question-draft.ts"

/** Copies a question to a pool of the question bank. Not a Form: the quiz around it is one, and forms do not nest. */
export function CopyQuestionDialog({ question, onClose }: { question: QuestionDraft; onClose: () => void }) {
  const [pool, setPool] = useState<Choice>()
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
      <ErrorMessage error={copy.error} />
      <p>{question.text || t("courses:quiz.unnamed")}</p>
      <Combobox
        name="copyTo"
        label={t("courses:pool")}
        hint={t("courses:quiz.copy.hint")}
        path="/api/question-pool/tabularlist"
        searchBy="name"
        toChoice={({ id, name }) => ({ id, name })}
        value={pool}
        onSelect={setPool}
      />
      <div class="actions">
        <button
          type="button"
          class="primary"
          disabled={!pool || copy.isPending}
          onClick={() => pool && copy.mutate(pool.id, { onSuccess: onClose })}
        >
          {t("courses:quiz.copy.submit")}
        </button>
        <CancelButton />
      </div>
    </Dialog>
  )
}
