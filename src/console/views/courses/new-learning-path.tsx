import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Page } from "../../ui/page.tsx"
import { useGo } from "../../ui/url-state.ts"
import { type PathBody, PathForm } from "./learning-path-form.tsx"

/** A learning path that is to be. */
export default function NewLearningPath() {
  const go = useGo()
  const create = useChange({
    call: (body: PathBody) => api.POST("/api/learningpath/create", { body }),
    changes: ["/api/learningpath"],
  })
  return (
    <Page title={t("courses:paths.new")} within={{ href: "/console/learning-paths", label: t("courses:paths.title") }}>
      <PathForm
        submit={t("create")}
        onSubmit={async (body) => {
          const { id } = await create.mutateAsync(body)
          go(`/learning-paths/${id}`)
        }}
      />
    </Page>
  )
}
