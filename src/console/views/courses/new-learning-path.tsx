import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { type LearningPathBody, LearningPathForm } from "./learning-path-form.tsx"

export default function NewLearningPath() {
  const go = useNavigate()
  const create = useChange({
    call: (body: LearningPathBody) => api.POST("/api/learningpath/create", { body }),
    invalidates: ["/api/learningpath"],
  })
  return (
    <Page title={t("courses:paths.new")} parent={{ href: "/console/learning-paths", label: t("courses:paths.title") }}>
      <LearningPathForm
        submit={t("create")}
        onSubmit={async (body) => {
          const { id } = await create.mutateAsync(body)
          go(`/learning-paths/${id}`)
        }}
      />
    </Page>
  )
}
