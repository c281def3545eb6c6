import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { refetchOnConflict } from "../../api/conflict.ts"
import { useChange, useEditableRecord, useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import { CLASS_QUERIES } from "./affected-queries.ts"
import { ClassFields, toClassChanges } from "./class-fields.tsx"

export default function EditClass() {
  const id = Number(useRoute().params.id)
  const go = useNavigate()
  const editable = useEditableRecord("/api/class/edit", { params: { query: { classId: id } } })
  // The record has only ids: its first session has the names.
  const schedule = useRead("/api/class/get-class-schedules", { params: { query: { classId: id, page_size: 1 } } })
  const change = useChange({
    call: (body: Schemas["ClassChanges"]) =>
      api.POST("/api/class/update", { body, headers: { "If-Match": editable.data?.version ?? "" } }),
    invalidates: CLASS_QUERIES,
  })
  const parent = { href: "/console/classes", label: t("nav.classes") }
  return (
    <Loaded query={schedule} parent={parent}>
      {({ classes: [session] }) => (
        <Loaded query={editable} parent={parent}>
          {({ record: { classDetails } }) => (
            <Page
              title={t("classes:class.edit", { course: session?.course_name ?? "" })}
              parent={{ href: `/console/classes/${id}`, label: session?.course_name ?? t("nav.classes") }}
            >
              <Form
                submit={t("save")}
                onSubmit={async (values) => {
                  await refetchOnConflict(() => change.mutateAsync(toClassChanges(id, values)), editable.refetch)
                  go(`/classes/${id}`)
                }}
              >
                <ClassFields
                  initial={{
                    class: classDetails,
                    names: {
                      course: {
                        id: classDetails.courseId,
                        name: session?.course_name ?? String(classDetails.courseId),
                      },
                      instructor: {
                        id: classDetails.instructor,
                        name: session?.instructor ?? String(classDetails.instructor),
                      },
                      location:
                        classDetails.location === null
                          ? undefined
                          : { id: classDetails.location, name: session?.location ?? String(classDetails.location) },
                    },
                  }}
                />
              </Form>
            </Page>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}
