import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { CourseFields, toCourseBody } from "./course-fields.tsx"
import "./courses.css"

export default function NewCourse() {
  const go = useNavigate()
  const create = useChange({
    call: (body: ReturnType<typeof toCourseBody>) => api.POST("/api/course/create", { body }),
    invalidates: ["/api/courses"],
  })
  return (
    <Page title={t("courses:courses.new")} parent={{ href: "/console/courses", label: t("courses:courses.title") }}>
      <Form
        submit={t("create")}
        onSubmit={async (values) => {
          const { id } = await create.mutateAsync(toCourseBody(values))
          go(`/courses/${id}?tab=modules`)
        }}
      >
        <CourseFields />
      </Form>
    </Page>
  )
}
