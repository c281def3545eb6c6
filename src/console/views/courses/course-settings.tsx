import { useState } from "preact/hooks"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Form } from "../../ui/form.tsx"
import { useFormDraft } from "../../ui/form-draft.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { CourseFields, toCourseBody } from "./course-fields.tsx"
import type { CourseTabProps } from "./course-tab.ts"

export function CourseSettings({ record: course, version, refetch }: CourseTabProps) {
  const go = useNavigate()
  const [isConfirming, setIsConfirming] = useState(false)
  const params = { path: { id: course.id } }
  const change = useChange({
    call: (body: ReturnType<typeof toCourseBody>) =>
      api.PUT("/api/course/{id}", { params, body, headers: { "If-Match": version } }),
    invalidates: ["/api/course/{id}", "/api/courses"],
  })
  const remove = useChange({
    call: () => api.POST("/api/course/delete", { body: { delete_ids: [course.id] } }),
    invalidates: ["/api/courses"],
  })
  const draft = useFormDraft({ name: `course/${course.id}`, version, read: toCourseBody })
  return (
    <>
      <Form
        submit={t("save")}
        onSubmit={async (values) => {
          await refetchOnConflict(() => change.mutateAsync(toCourseBody(values)), refetch)
          draft.clear()
        }}
        {...draft.formProps}
        more={
          <button type="button" class="danger" onClick={() => setIsConfirming(true)}>
            {t("delete")}
          </button>
        }
      >
        {draft.notice}
        <CourseFields key={draft.key} course={draft.restored ? { ...course, ...draft.restored } : course} />
      </Form>
      {isConfirming && (
        <ConfirmDialog
          title={t("courses:course.delete")}
          confirm={t("delete")}
          onClose={() => setIsConfirming(false)}
          onConfirm={async () => {
            await remove.mutateAsync(undefined)
            go("/courses")
          }}
        >
          <p>{t("courses:course.delete.text", { name: course.name })}</p>
          <p>{t("irreversible")}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
