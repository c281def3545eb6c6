import { createElement } from "preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Picture } from "../../ui/course-image.tsx"
import { Confirm } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { Progress } from "../../ui/progress.tsx"
import { momentOf, Time } from "../../ui/time.tsx"
import { courseAddress, PROGRESS, registrationStates, State } from "./shared.tsx"

export type Registration = RecordOf<"/api/users/enrolled-courses">

/** A course of one's own: how far it is, and until when it can be taken. @param level of its heading */
export const CourseCard = ({ of, level = 2 }: { of: Registration; level?: 2 | 3 }) => (
  <>
    <Picture url={of.featuredImageUrl} />
    {createElement(`h${level}`, {}, <a href={courseAddress(of.courseId, of.id)}>{of.courseName}</a>)}
    <p>
      <State of={of.status} /> {of.isExpired && <span class="badge">{t("learner:expired")}</span>}
    </p>
    <Progress label={t("learner:progress")} value={of.percentComplete} />
    {momentOf(of.expire_on) && (
      <p class="quiet">
        {t("learner:expires")} <Time value={of.expire_on} />
      </p>
    )}
  </>
)

/** Asks before a registration begins anew: what was completed in it is to be done again. */
function Recertify({ registration }: { registration: Registration }) {
  const [asking, ask] = useState(false)
  const recertify = useChange({
    call: () => api.POST("/api/course/recertify", { body: { registrationId: registration.id } }),
    changes: PROGRESS,
  })
  return (
    <>
      <button type="button" onClick={() => ask(true)}>
        {t("learner:recertify")}
      </button>
      {asking && (
        <Confirm
          title={t("learner:recertify.title", { course: registration.courseName })}
          confirm={t("learner:recertify")}
          onConfirm={() => recertify.mutateAsync(undefined)}
          onClose={() => ask(false)}
        >
          <p>{t("learner:recertify.text")}</p>
        </Confirm>
      )}
    </>
  )
}

/** The courses that the caller takes or took. */
export default function MyCourses() {
  const me = useMe()
  return (
    <Page
      title={t("nav.my-courses")}
      actions={
        <a class="button" href="/console/learning/library">
          {t("learner:library.title")}
        </a>
      }
    >
      <Listing
        path="/api/users/enrolled-courses"
        caption={t("nav.my-courses")}
        query={{ user_id: me.id, manage_course: false }}
        size={12}
        keyOf={({ id }) => id}
        filters={[
          { name: "nameOrEmail", label: t("learner:search.course") },
          {
            name: "status",
            label: t("learner:status"),
            options: registrationStates(),
            toApi: (status) => [status],
          },
        ]}
        empty={t("learner:courses.none")}
        card={(registration) => (
          <>
            <CourseCard of={registration} />
            {registration.canRecertify && <Recertify registration={registration} />}
          </>
        )}
      />
    </Page>
  )
}
