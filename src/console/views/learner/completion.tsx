import { useEffect, useRef, useState } from "preact/hooks"
import { useMe } from "../../api/me.tsx"
import { useListPage } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { CopyField } from "../../ui/copy-field.tsx"
import { Dialog } from "../../ui/dialog.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { Time } from "../../ui/time.tsx"
import type { Registration } from "./my-courses.tsx"
import { courseAddress } from "./shared.tsx"

const title = ({ courseName }: Registration) => t("learner:course-completed", { course: courseName })

/** The certificate of a completed course: its file, its public page, and the link to share. */
function Certificate({ of }: { of: Registration }) {
  const me = useMe()
  const certificates = useListPage("/api/user-certificates/{id}", {
    names: { id: me.id },
    query: { search_param: { courseId: of.courseId }, order_by: { colName: "issueDate", direction: "desc" } },
    at: undefined,
    size: 1,
  })
  return (
    <Loaded of={certificates}>
      {({ records: [certificate] }) =>
        certificate && (
          <>
            <p class="actions">
              <a class="button primary" href={`/api/user-certificate/${certificate.id}/download`} download>
                {t("learner:certificate.get")}
              </a>
              <a class="button" href={certificate.publicUrl} target="_blank" rel="noreferrer">
                {t("learner:certificate.public")}
              </a>
            </p>
            <CopyField
              name="share"
              label={t("learner:certificate.share")}
              hint={t("learner:certificate.share-hint")}
              value={certificate.publicUrl}
            />
          </>
        )
      }
    </Loaded>
  )
}

/** What to do next: another course that is not completed, or the library. */
function NextStep({ of }: { of: Registration }) {
  const me = useMe()
  const others = useListPage("/api/users/enrolled-courses", {
    query: {
      user_id: me.id,
      manage_course: false,
      search_param: { status: ["In Progress", "Not Started"] },
      order_by: { colName: "lastAccessed", direction: "desc" },
    },
    at: undefined,
    size: 2,
  })
  return (
    <Loaded of={others}>
      {({ records }) => {
        const next = records.find(({ id, isExpired }) => id !== of.id && !isExpired)
        return (
          <p>
            {next ? (
              <a class="button" href={courseAddress(next.courseId, next.id)}>
                {t("learner:continue-with", { module: next.courseName })}
              </a>
            ) : (
              <a class="button" href="/console/learning/library">
                {t("learner:choose-next")}
              </a>
            )}
          </p>
        )
      }}
    </Loaded>
  )
}

const Outcome = ({ of }: { of: Registration }) => (
  <>
    <p>
      {t("learner:course-completed.on")} <Time value={of.completed_on} />
    </p>
    {of.certificate_count > 0 && <Certificate of={of} />}
    <NextStep of={of} />
  </>
)

/** What a learner sees of a course that they completed. */
export const Completed = ({ of }: { of: Registration }) => (
  <section class="card" aria-labelledby="completed">
    <h2 id="completed">{title(of)}</h2>
    <Outcome of={of} />
  </section>
)

/**
 * The caller's registration in a course, and whether it was completed while they looked.
 * @returns `close`: they have seen it
 */
export function useRegistration(courseId: number, registrationId: number) {
  const me = useMe()
  const found = useListPage("/api/users/enrolled-courses", {
    query: { user_id: me.id, search_param: { courseId } },
    at: undefined,
    size: 1,
  })
  const registration = found.data?.records.find(({ id }) => id === registrationId)
  const status = registration?.status
  const before = useRef<string>()
  const [isNew, setNew] = useState(false)
  useEffect(() => {
    if (!status) return
    if (status === "Completed" && before.current && before.current !== status) setNew(true)
    before.current = status
  }, [status])
  return { registration, isNew, close: () => setNew(false) }
}

/** Shown once, when the last module that counts is completed. */
export const CompletionDialog = ({ of, onClose }: { of: Registration; onClose: () => void }) => (
  <Dialog title={title(of)} onClose={onClose}>
    <Outcome of={of} />
    <div class="actions">
      <button type="button" onClick={onClose}>
        {t("close")}
      </button>
    </div>
  </Dialog>
)
