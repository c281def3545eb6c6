import { useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Picture } from "../../ui/course-image.tsx"
import { Dialog } from "../../ui/dialog.tsx"
import { Form, TextField } from "../../ui/form.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { courseAddress, PROGRESS, State } from "./shared.tsx"

type Course = RecordOf<"/api/users/library-courses">

/** Asks for the key of a course, where it wants one, and enrolls. */
function Join({ course, onClose }: { course: Course; onClose: () => void }) {
  const { route } = useLocation()
  const join = useChange({
    call: (key: string | undefined) =>
      api.POST("/api/course/self-enroll", {
        body: { course_id: course.id, ...(key !== undefined && { enrollment_key: key }) },
      }),
    changes: [...PROGRESS, "/api/users/library-courses"],
  })
  return (
    <Dialog title={t("learner:enroll.title", { course: course.courseName })} onClose={onClose}>
      <Form
        submit={t("learner:enroll")}
        onSubmit={async (values) => {
          const { registrationId } = await join.mutateAsync(values.optional("enrollment_key"))
          onClose()
          route(courseAddress(course.id, registrationId))
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

/** The published courses of the academy: what one takes already, and what one may join. */
export default function Library() {
  const [joining, setJoining] = useState<Course>()
  return (
    <Page title={t("learner:library.title")} within={{ href: "/console/learning", label: t("nav.my-courses") }}>
      <Listing
        path="/api/users/library-courses"
        caption={t("learner:library.title")}
        size={12}
        keyOf={({ id }) => id}
        filters={[{ name: "courseName", label: t("learner:search.course") }]}
        card={(course) => (
          <>
            <Picture url={course.featuredImageUrl} />
            <h2>
              {course.registrationId === null ? (
                course.courseName
              ) : (
                <a href={courseAddress(course.id, course.registrationId)}>{course.courseName}</a>
              )}
            </h2>
            {course.status && (
              <p>
                <State of={course.status} />
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
                  onClick={() => setJoining(course)}
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
      {joining && <Join course={joining} onClose={() => setJoining(undefined)} />}
    </Page>
  )
}
