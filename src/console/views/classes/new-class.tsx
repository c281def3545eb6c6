import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { CLASS_QUERIES } from "./affected-queries.ts"
import { ClassFields, toNewClass } from "./class-fields.tsx"

export default function NewClass() {
  const go = useNavigate()
  const create = useChange({
    call: (body: Schemas["NewClass"]) => api.POST("/api/class/create", { body }),
    invalidates: CLASS_QUERIES,
  })
  return (
    <Page title={t("classes:class.new")} parent={{ href: "/console/classes", label: t("nav.classes") }}>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          const { id } = await create.mutateAsync(toNewClass(values))
          go(`/classes/${id}`)
        }}
      >
        <ClassFields />
      </Form>
    </Page>
  )
}
