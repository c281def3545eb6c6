import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Form, TextField } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"

/** A new course needs only a name: it is a draft, and its page has everything else. */
export default function NewCourse() {
  const go = useNavigate()
  const create = useChange({
    call: (name: string) => api.POST("/api/course/create", { body: { name } }),
    invalidates: ["/api/courses"],
  })
  return (
    <Page title={t("courses:courses.new")} parent={{ href: "/console/courses", label: t("courses:courses.title") }}>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          const { id } = await create.mutateAsync(values.text("name"))
          go(`/courses/${id}`)
        }}
      >
        <TextField
          name="name"
          label={t("courses:name")}
          hint={t("courses:courses.new.hint")}
          required
          maxLength={100}
          autofocus
        />
      </Form>
    </Page>
  )
}
