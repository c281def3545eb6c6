import { FileQuestion } from "lucide-preact"
import { useState } from "preact/hooks"
import { useRoute } from "preact-iso"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import type { Column } from "../../ui/table.tsx"
import { labelFor, optionsFor } from "./labels.ts"
import { QUESTION_TYPES } from "./question-draft.ts"
import "./courses.css"

type Question = RecordOf<"/api/question/tabularlist">

const columns = (poolId: number): Column<Question>[] => [
  {
    key: "text",
    title: t("courses:quiz.question-text"),
    render: ({ id, text }) => (
      <a href={`/console/question-pools/${poolId}/${id}`} dir="auto">
        {text}
      </a>
    ),
  },
  { key: "type", title: t("courses:type"), sort: "type", render: ({ type }) => labelFor("question", type) },
  { key: "tags", title: t("courses:tags"), render: ({ tags }) => tags.join(", ") || t("none") },
  {
    key: "version",
    title: t("courses:question.version"),
    sort: "version",
    numeric: true,
    render: ({ version }) => number(version),
  },
]

/** The questions of a pool. */
export default function QuestionPool() {
  const id = Number(useRoute().params.id)
  const pool = useRead("/api/question-pool/{id}", { params: { path: { id } } })
  const [deleted, setDeleted] = useState<{ rows: readonly Question[]; clear: () => void }>()
  const remove = useChange({
    call: (delete_ids: number[]) => api.POST("/api/question/delete", { body: { delete_ids } }),
    invalidates: ["/api/question"],
  })
  const parent = { href: "/console/question-pools", label: t("courses:pools") }
  return (
    <Loaded query={pool} parent={parent}>
      {({ name, description, tags }) => (
        <Page
          title={name}
          parent={parent}
          actions={
            <a class="button primary" href={`/console/question-pools/${id}/new`}>
              {t("courses:question.new")}
            </a>
          }
        >
          {description && <p dir="auto">{description}</p>}
          <Listing
            path="/api/question/tabularlist"
            caption={t("courses:quiz.questions")}
            columns={columns(id)}
            keyOf={(question) => question.id}
            nameOf={({ text }) => text}
            query={{ search_param: { poolId: id } }}
            empty={{
              icon: FileQuestion,
              text: t("courses:question.empty"),
              action: { label: t("courses:question.new"), href: `/question-pools/${id}/new` },
            }}
            filters={[
              { name: "text", label: t("courses:question.search") },
              {
                name: "tag",
                label: t("courses:tag"),
                options: tags.map(({ tag, questions }) => ({ value: tag, label: `${tag} (${number(questions)})` })),
              },
              { name: "type", label: t("courses:type"), options: optionsFor("question", QUESTION_TYPES) },
            ]}
            actions={(rows, clear) => (
              <button type="button" class="danger" onClick={() => setDeleted({ rows, clear })}>
                {t("delete")}
              </button>
            )}
          />
          {deleted && (
            <ConfirmDialog
              title={t("courses:question.delete")}
              confirm={t("delete")}
              onConfirm={async () => {
                await remove.mutateAsync(deleted.rows.map((row) => row.id))
                deleted.clear()
                setDeleted(undefined)
              }}
              onClose={() => setDeleted(undefined)}
            >
              <p>{t("courses:question.delete.hint")}</p>
            </ConfirmDialog>
          )}
        </Page>
      )}
    </Loaded>
  )
}
