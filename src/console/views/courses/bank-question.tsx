import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { ApiResponse, Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange, useEditableRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { newQuestion, toContentBody, toQuestionDraft } from "./question-draft.ts"
import { QuestionFields } from "./question-fields.tsx"
import "./courses.css"

interface QuestionFormProps {
  poolId: number
  question?: Schemas["BankQuestion"]
  version?: string
  refetch?: () => Promise<unknown>
}

const toTags = (text: string) =>
  text
    .split(",")
    .map((tag) => tag.trim())
    .filter(Boolean)

function QuestionForm({ poolId, question, version = "", refetch = async () => {} }: QuestionFormProps) {
  const go = useNavigate()
  const [draft, setDraft] = useState(() => (question ? toQuestionDraft(question) : newQuestion()))
  const save = useChange({
    call: async (
      body: ReturnType<typeof toContentBody> & { tags: string[] },
    ): Promise<ApiResponse<{ message: string }>> =>
      question
        ? api.PUT("/api/question/{id}", {
            params: { path: { id: question.id } },
            body,
            headers: { "If-Match": version },
          })
        : api.POST("/api/question/create", { body: { poolId, ...body } }),
    invalidates: ["/api/question"],
  })
  return (
    <Form
      submit={question ? t("save") : t("create")}
      onSubmit={async (values) => {
        const body = { ...toContentBody(draft), tags: toTags(values.text("tags")) }
        await refetchOnConflict(() => save.mutateAsync(body), refetch)
        go(`/question-pools/${poolId}`)
      }}
    >
      <QuestionFields question={draft} nameOf={(field) => field} onChange={setDraft} />
      <TextField
        name="tags"
        label={t("courses:tags")}
        hint={t("courses:tags.hint")}
        dir="auto"
        defaultValue={question?.tags.join(", ") ?? ""}
      />
      {question && <p class="quiet">{t("courses:question.version.hint")}</p>}
    </Form>
  )
}

function EditQuestion({ poolId, id }: { poolId: number; id: number }) {
  const question = useEditableRecord("/api/question/{id}", { params: { path: { id } } })
  return (
    <Loaded query={question}>
      {({ record, version }) => (
        <QuestionForm key={id} poolId={poolId} question={record} version={version} refetch={question.refetch} />
      )}
    </Loaded>
  )
}

/** Edits or creates a question of a pool. */
export default function BankQuestion() {
  const { pool, id } = useRoute().params
  const poolId = Number(pool)
  return (
    <Page
      title={id === "new" ? t("courses:question.new") : t("courses:question.edit")}
      parent={{ href: `/console/question-pools/${poolId}`, label: t("courses:quiz.questions") }}
    >
      {id === "new" ? <QuestionForm poolId={poolId} /> : <EditQuestion poolId={poolId} id={Number(id)} />}
    </Page>
  )
}
