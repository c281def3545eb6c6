import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useGo } from "../../ui/url-state.ts"
import { CLASSES } from "./affected-queries.ts"
import { ClassFields, newClassOf } from "./class-fields.tsx"

/** A class that is to be. */
export default function NewClass() {
  const go = useGo()
  const create = useChange({
    call: (body: Schemas["NewClass"]) => api.POST("/api/class/create", { body }),
    changes: CLASSES,
  })
  return (
    <Page title={t("classes:class.new")} within={{ href: "/console/classes", label: t("nav.classes") }}>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          const { id } = await create.mutateAsync(newClassOf(values))
          go(`/classes/${id}`)
        }}
      >
        <ClassFields />
      </Form>
    </Page>
  )
}
