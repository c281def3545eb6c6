import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useGo } from "../../ui/url-state.ts"
import { CourseFields, courseBody } from "./course-fields.tsx"
import "./courses.css"

/** A course that is to be. */
export default function NewCourse() {
  const go = useGo()
  const create = useChange({
    call: (body: ReturnType<typeof courseBody>) => api.POST("/api/course/create", { body }),
    changes: ["/api/courses"],
  })
  return (
    <Page title={t("courses:courses.new")} within={{ href: "/console/courses", label: t("courses:courses.title") }}>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          const { id } = await create.mutateAsync(courseBody(values))
          go(`/courses/${id}?tab=modules`)
        }}
      >
        <CourseFields />
      </Form>
    </Page>
  )
}
