import { Award, Download } from "lucide-preact"
import { useEffect, useRef, useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { useMe } from "../../api/me.tsx"
import { useListPage } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Time } from "../../ui/time.tsx"
import type { Enrollment } from "./my-courses.tsx"
import { NextCourse } from "./next-course.tsx"
import { RateCourse } from "./rate-course.tsx"
import { ShareCertificate } from "./share-certificate.tsx"

const completionTitle = ({ courseName }: Enrollment) => t("learner:course-completed", { course: courseName })

/** The certificate as it is printed, drawn by its public page. */
function CertificatePicture({ certificate }: { certificate: RecordOf<"/api/user-certificates/{id}"> }) {
  const { courseName, publicUrl, page } = certificate
  const [hasFailed, setHasFailed] = useState(false)
  const path = new URL(publicUrl).pathname
  if (hasFailed) return null
  return (
    <div class="sheet">
      {page.hasBackground && (
        <img class="background" src={`${path}/background`} alt="" width={page.width} height={page.height} />
      )}
      <img
        src={`${path}/picture`}
        alt={t("learner:certificate.of", { course: courseName })}
        width={page.width}
        height={page.height}
        onError={() => setHasFailed(true)}
      />
    </div>
  )
}

/** The certificate of a completed course: download, public page and sharing. */
function Certificate({ enrollment }: { enrollment: Enrollment }) {
  const me = useMe()
  const certificates = useListPage("/api/user-certificates/{id}", {
    pathParams: { id: me.id },
    query: { search_param: { courseId: enrollment.courseId }, order_by: { colName: "issueDate", direction: "desc" } },
    page: undefined,
    size: 1,
  })
  return (
    <Loaded query={certificates}>
      {({ records: [certificate] }) =>
        certificate && (
          <div class="certificate">
            <CertificatePicture certificate={certificate} />
            <p class="actions">
              <a class="button primary with-icon" href={`/api/user-certificate/${certificate.id}/download`} download>
                <Download size={18} aria-hidden /> {t("learner:certificate.get")}
              </a>
              <a class="button" href={certificate.publicUrl} target="_blank" rel="noreferrer">
                {t("learner:certificate.public")}
              </a>
            </p>
            <ShareCertificate {...certificate} />
          </div>
        )
      }
    </Loaded>
  )
}

const CompletionDetails = ({ enrollment }: { enrollment: Enrollment }) => (
  <>
    <p>
      {t("learner:course-completed.on")} <Time value={enrollment.completed_on} />
    </p>
    {enrollment.certificate_count > 0 && <Certificate enrollment={enrollment} />}
    <NextCourse enrollment={enrollment} />
  </>
)

/** The completion card on the page of a completed course. */
export const CompletionCard = ({ enrollment }: { enrollment: Enrollment }) => (
  <section class="card completion" aria-labelledby="completed">
    <h2 id="completed">
      <Award size={22} class="completed-mark" aria-hidden /> {completionTitle(enrollment)}
    </h2>
    <CompletionDetails enrollment={enrollment} />
    {enrollment.enableCourseRating && <RateCourse courseId={enrollment.courseId} />}
  </section>
)

/**
 * The caller's enrollment in a course.
 * @returns `isNewlyCompleted`: the course was completed while the page was open, until `dismiss` is called
 */
export function useEnrollment(courseId: number, registrationId: number) {
  const me = useMe()
  const page = useListPage("/api/users/enrolled-courses", {
    query: { user_id: me.id, search_param: { courseId } },
    page: undefined,
    size: 1,
  })
  const enrollment = page.data?.records.find(({ id }) => id === registrationId)
  const status = enrollment?.status
  const previousStatus = useRef<string>()
  const [isNewlyCompleted, setIsNewlyCompleted] = useState(false)
  useEffect(() => {
    if (!status) return
    if (status === "Completed" && previousStatus.current && previousStatus.current !== status) setIsNewlyCompleted(true)
    previousStatus.current = status
  }, [status])
  return { enrollment, isNewlyCompleted, dismiss: () => setIsNewlyCompleted(false) }
}

/** Shown once, when the course is completed. */
export const CompletionDialog = ({ enrollment, onClose }: { enrollment: Enrollment; onClose: () => void }) => (
  <Dialog title={completionTitle(enrollment)} onClose={onClose}>
    <Award size={56} strokeWidth={1.25} class="completed-mark" aria-hidden />
    <CompletionDetails enrollment={enrollment} />
    <div class="actions">
      <button type="button" onClick={onClose}>
        {t("close")}
      </button>
    </div>
  </Dialog>
)
