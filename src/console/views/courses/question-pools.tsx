import { FileQuestion } from "lucide-preact"
import { api } from "../../api/client.ts"
import { number, t } from "../../messages/messages.ts"
import { TextArea, TextField } from "../../ui/form.tsx"
import { RecordsPage } from "../../ui/records-page.tsx"
import { Time } from "../../ui/time.tsx"

/** The question bank: pools of questions, from which quizzes draw. */
export default function QuestionPools() {
  return (
    <RecordsPage
      kind={{
        list: "/api/question-pool/tabularlist",
        record: "/api/question-pool/{id}",
        nameOf: ({ name }) => name,
        fields: (pool) => (
          <>
            <TextField name="name" label={t("name")} required maxLength={100} defaultValue={pool?.name ?? ""} />
            <TextArea
              name="description"
              label={t("courses:module.description")}
              rows={3}
              maxLength={1000}
              defaultValue={pool?.description ?? ""}
            />
          </>
        ),
        toBody: (values) => ({ name: values.text("name"), description: values.text("description") }),
        create: (body) => api.POST("/api/question-pool/create", { body }),
        change: (id, body, headers) => api.PUT("/api/question-pool/{id}", { params: { path: { id } }, body, headers }),
        remove: (delete_ids) => api.POST("/api/question-pool/delete", { body: { delete_ids } }),
        invalidates: ["/api/question-pool", "/api/question/"],
      }}
      icon={FileQuestion}
      texts={{
        title: t("courses:pools"),
        new: t("courses:pool.new"),
        edit: t("courses:pool.edit"),
        delete: t("courses:pool.delete"),
        deleteHint: t("courses:pool.delete.hint"),
        empty: t("courses:pool.empty"),
      }}
      canChange
      filters={[{ name: "name", label: t("courses:pool.search") }]}
      nameColumn={{ render: ({ id, name }) => <a href={`/console/question-pools/${id}`}>{name}</a> }}
      columns={[
        {
          key: "questions",
          title: t("courses:quiz.questions"),
          sort: "questionCount",
          numeric: true,
          render: ({ questionCount }) => number(questionCount),
        },
        {
          key: "created",
          title: t("courses:created"),
          sort: "created_at",
          render: ({ created_at }) => <Time value={created_at} />,
        },
      ]}
    />
  )
}
