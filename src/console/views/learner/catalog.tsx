import { GraduationCap } from "lucide-preact"
import { useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { CourseImage } from "../../ui/course-image.tsx"
import { Dialog } from "../../ui/dialog.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { courseUrl, PROGRESS_QUERIES, StatusBadge } from "./shared.tsx"

type Course = RecordOf<"/api/users/library-courses">

/** Enrolls the caller; asks for the enrollment key if the course has one. */
function EnrollDialog({ course, onClose }: { course: Course; onClose: () => void }) {
  const { route } = useLocation()
  const enroll = useChange({
    call: (key: string | undefined) =>
      api.POST("/api/course/self-enroll", {
        body: { course_id: course.id, ...(key !== undefined && { enrollment_key: key }) },
      }),
    invalidates: [...PROGRESS_QUERIES, "/api/users/library-courses"],
  })
  return (
    <Dialog title={t("learner:enroll.title", { course: course.courseName })} onClose={onClose}>
      <Form
        submit={t("learner:enroll")}
        onSubmit={async (values) => {
          const { registrationId } = await enroll.mutateAsync(values.optional("enrollment_key"))
          onClose()
          route(courseUrl(course.id, registrationId))
        }}
      >
        {course.enrollmentKeyRequired ? (
          <TextField
            name="enrollment_key"
            label={t("learner:enroll.key")}
            hint={t("learner:enroll.key-hint")}
            autocomplete="off"
            required
          />
        ) : (
          <p>{t("learner:enroll.text")}</p>
        )}
      </Form>
    </Dialog>
  )
}

/** All published courses, with enrollment. */
export default function Catalog() {
  const [enrolling, setEnrolling] = useState<Course>()
  return (
    <Page title={t("learner:library.title")} parent={{ href: "/console/learning", label: t("nav.my-courses") }}>
      <Listing
        path="/api/users/library-courses"
        caption={t("learner:library.title")}
        size={12}
        empty={{
          icon: GraduationCap,
          text: t("learner:library.none"),
          action: { label: t("nav.my-courses"), href: "/learning" },
        }}
        keyOf={({ id }) => id}
        filters={[{ name: "courseName", label: t("learner:search.course") }]}
        card={(course) => (
          <>
            <CourseImage url={course.featuredImageUrl} />
            <h2>
              {course.registrationId === null ? (
                course.courseName
              ) : (
                <a href={courseUrl(course.id, course.registrationId)}>{course.courseName}</a>
              )}
            </h2>
            {course.status && (
              <p>
                <StatusBadge status={course.status} />
              </p>
            )}
            <dl class="facts">
              <dt>{t("learner:author")}</dt>
              <dd>{course.author}</dd>
              {course.categories && (
                <>
                  <dt>{t("learner:categories")}</dt>
                  <dd>{course.categories}</dd>
                </>
              )}
              {course.estimatedCompletionTime && (
                <>
                  <dt>{t("learner:duration")}</dt>
                  <dd>{course.estimatedCompletionTime}</dd>
                </>
              )}
            </dl>
            {!course.isEnrolled && (course.selfEnroll || course.enrollmentKeyRequired) && (
              <p>
                <button
                  type="button"
                  class="primary"
                  aria-label={t("learner:enroll.title", { course: course.courseName })}
                  onClick={() => setEnrolling(course)}
                >
                  {t("learner:enroll")}
                </button>
              </p>
            )}
            {!course.isEnrolled && !course.selfEnroll && !course.enrollmentKeyRequired && (
              <p class="quiet">{t("learner:enroll.closed")}</p>
            )}
          </>
        )}
      />
      {enrolling && <EnrollDialog course={enrolling} onClose={() => setEnrolling(undefined)} />}
    </Page>
  )
}
