import { useEffect } from "preact/hooks"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Combobox } from "../../ui/combobox.tsx"
import { Page } from "../../ui/page.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { SubmissionList } from "./submission-list.tsx"

/** Assignment submissions of one course or of all; initially those that need grading. */
export default function Submissions() {
  const { query, change } = useUrlState()
  useEffect(() => {
    if (Object.keys(query).length === 0) change({ status: "Submitted" }, { replace: true })
  }, [])
  const courseId = Number(query.course) || undefined
  const course = useRead(
    "/api/course/{id}",
    { params: { path: { id: courseId ?? 0 } } },
    { enabled: courseId !== undefined },
  )
  const selectedCourse = course.data && { id: course.data.id, name: course.data.name }
  return (
    <Page title={t("courses:grading.title")}>
      <div class="filters">
        <Combobox
          name="course"
          label={t("courses:course")}
          path="/api/courses/tabularlist"
          searchBy="courseName"
          query={{ order_by: { colName: "name" } }}
          toChoice={({ id, name }) => ({ id, name })}
          value={selectedCourse}
          onSelect={(selected) => change({ course: selected?.id, page: undefined })}
        />
      </div>
      <SubmissionList caption={t("courses:grading.title")} {...(courseId !== undefined && { courseId })} />
    </Page>
  )
}
