import { useRoute } from "preact-iso"
import type { Schemas } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange, useRead, useRecord } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { Form } from "../../ui/form.tsx"
import { Page } from "../../ui/page.tsx"
import { useGo } from "../../ui/url-state.ts"
import { CLASSES } from "./affected-queries.ts"
import { ClassFields, classChangesOf } from "./class-fields.tsx"

/** A class that is changed. */
export default function EditClass() {
  const id = Number(useRoute().params.id)
  const go = useGo()
  const found = useRecord("/api/class/edit", { params: { query: { classId: id } } })
  // The record has ids alone: its first session says how they are called.
  const named = useRead("/api/class/get-class-schedules", { params: { query: { classId: id, page_size: 1 } } })
  const change = useChange({
    call: (body: Schemas["ClassChanges"]) =>
      api.POST("/api/class/update", { body, headers: { "If-Match": found.data?.version ?? "" } }),
    changes: CLASSES,
  })
  return (
    <Loaded of={named}>
      {({ classes: [session] }) => (
        <Loaded of={found}>
          {({ record: { classDetails: of } }) => (
            <Page
              title={t("classes:class.edit", { course: session?.course_name ?? "" })}
              within={{ href: `/console/classes/${id}`, label: session?.course_name ?? t("nav.classes") }}
            >
              <Form
                submit={t("save")}
                onSubmit={async (values) => {
                  await change.mutateAsync(classChangesOf(id, values))
                  go(`/classes/${id}`)
                }}
              >
                <ClassFields
                  given={{
                    class: of,
                    names: {
                      course: { id: of.courseId, name: session?.course_name ?? String(of.courseId) },
                      instructor: { id: of.instructor, name: session?.instructor ?? String(of.instructor) },
                      location:
                        of.location === null
                          ? undefined
                          : { id: of.location, name: session?.location ?? String(of.location) },
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
