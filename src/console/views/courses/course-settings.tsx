import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Confirm } from "../../ui/dialog.tsx"
import { Form } from "../../ui/form.tsx"
import { useGo } from "../../ui/url-state.ts"
import { unlessChanged } from "./conflict.ts"
import { CourseFields, courseBody } from "./course-fields.tsx"
import type { CoursePart } from "./course-tab.ts"

/** What a course says of itself, to be changed; and its end. */
export function CourseSettings({ record: course, version, reread }: CoursePart) {
  const go = useGo()
  const [asks, setAsks] = useState(false)
  const params = { path: { id: course.id } }
  const change = useChange({
    call: (body: ReturnType<typeof courseBody>) =>
      api.PUT("/api/course/{id}", { params, body, headers: { "If-Match": version } }),
    changes: ["/api/course/{id}", "/api/courses"],
  })
  const remove = useChange({
    call: () => api.POST("/api/course/delete", { body: { delete_ids: [course.id] } }),
    changes: ["/api/courses"],
  })
  return (
    <>
      <Form
        submit={t("save")}
        onSubmit={(values) => unlessChanged(() => change.mutateAsync(courseBody(values)), reread)}
        more={
          <button type="button" class="danger" onClick={() => setAsks(true)}>
            {t("delete")}
          </button>
        }
      >
        <CourseFields course={course} />
      </Form>
      {asks && (
        <Confirm
          title={t("courses:course.delete")}
          confirm={t("delete")}
          onClose={() => setAsks(false)}
          onConfirm={async () => {
            await remove.mutateAsync(undefined)
            go("/courses")
          }}
        >
          <p>{t("courses:course.delete.text", { name: course.name })}</p>
          <p>{t("irreversible")}</p>
        </Confirm>
      )}
    </>
  )
}
