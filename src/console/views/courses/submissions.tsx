import { useEffect } from "preact/hooks"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { Page } from "../../ui/page.tsx"
import { useAddress } from "../../ui/url-state.ts"
import { SubmissionList } from "./submission-list.tsx"

/** What learners submitted, in one course or in any. It begins with what awaits its evaluation. */
export default function Assignments() {
  const { query, change } = useAddress()
  useEffect(() => {
    if (Object.keys(query).length === 0) change({ status: "Submitted" }, { replace: true })
  }, [])
  const courseId = Number(query.course) || undefined
  const course = useRead(
    "/api/course/{id}",
    { params: { path: { id: courseId ?? 0 } } },
    { enabled: courseId !== undefined },
  )
  const chosen = course.data && { id: course.data.id, name: course.data.name }
  return (
    <Page title={t("courses:grading.title")}>
      <div class="filters">
        <Combobox
          name="course"
          label={t("courses:course")}
          path="/api/courses/tabularlist"
          by="courseName"
          query={{ order_by: { colName: "name" } }}
          pick={({ id, name }) => ({ id, name })}
          value={chosen}
          onPick={(one) => change({ course: one?.id, page: undefined })}
        />
      </div>
      <SubmissionList caption={t("courses:grading.title")} {...(courseId !== undefined && { courseId })} />
    </Page>
  )
}
