import { GraduationCap } from "lucide-preact"
import { createElement } from "preact"
import { useState } from "preact/hooks"
import type { RecordOf } from "../../../client/index.ts"
import { api } from "../../api/client.ts"
import { useMe } from "../../api/me.tsx"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Badge } from "../../ui/badge.tsx"
import { CourseImage } from "../../ui/course-image.tsx"
import { ConfirmDialog } from "../../ui/dialog.tsx"
import { Listing } from "../../ui/listing.tsx"
import { Page } from "../../ui/page.tsx"
import { Progress } from "../../ui/progress.tsx"
import { parseDate, Time } from "../../ui/time.tsx"
import { dueStatusOptions, OwnDueDate } from "../compliance/statuses.tsx"
import { continueUrl, courseUrl, enrollmentStatusOptions, PROGRESS_QUERIES, StatusBadge } from "./shared.tsx"

export type Enrollment = RecordOf<"/api/users/enrolled-courses">

/** The fields of an enrollment that its card shows. */
type CardFields = Pick<
  Enrollment,
  | "id"
  | "courseId"
  | "courseName"
  | "featuredImageUrl"
  | "status"
  | "isExpired"
  | "percentComplete"
  | "expire_on"
  | "dueAt"
  | "dueStatus"
>

/** An enrolled course with its progress. @param level heading level */
export const CourseCard = ({ enrollment, level = 2 }: { enrollment: CardFields; level?: 2 | 3 }) => (
  <>
    <CourseImage url={enrollment.featuredImageUrl} />
    {createElement(
      `h${level}`,
      {},
      <a href={courseUrl(enrollment.courseId, enrollment.id)}>{enrollment.courseName}</a>,
    )}
    <p>
      <StatusBadge status={enrollment.status} />{" "}
      {enrollment.isExpired && <Badge status="expired">{t("learner:expired")}</Badge>}
    </p>
    <OwnDueDate dueAt={enrollment.dueAt} status={enrollment.dueStatus} />
    <Progress label={t("learner:progress")} value={enrollment.percentComplete} />
    {enrollment.status !== "Completed" && !enrollment.isExpired && (
      <p>
        <a
          class="button primary"
          href={continueUrl(enrollment.courseId, enrollment.id)}
          aria-label={t(enrollment.status === "Not Started" ? "learner:start.course" : "learner:continue.course", {
            course: enrollment.courseName,
          })}
        >
          {t(enrollment.status === "Not Started" ? "learner:start" : "learner:continue.verb")}
        </a>
      </p>
    )}
    {parseDate(enrollment.expire_on) && (
      <p class="quiet">
        {t("learner:expires")} <Time value={enrollment.expire_on} />
      </p>
    )}
  </>
)

/** Resets the progress for a new term, after confirmation. */
function RecertifyButton({ enrollment }: { enrollment: Enrollment }) {
  const [isConfirming, setIsConfirming] = useState(false)
  const recertify = useChange({
    call: () => api.POST("/api/course/recertify", { body: { registrationId: enrollment.id } }),
    invalidates: PROGRESS_QUERIES,
  })
  return (
    <>
      <button type="button" onClick={() => setIsConfirming(true)}>
        {t("learner:recertify")}
      </button>
      {isConfirming && (
        <ConfirmDialog
          title={t("learner:recertify.title", { course: enrollment.courseName })}
          confirm={t("learner:recertify")}
          onConfirm={() => recertify.mutateAsync(undefined)}
          onClose={() => setIsConfirming(false)}
        >
          <p>{t("learner:recertify.text")}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

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
            options: enrollmentStatusOptions(),
            toApi: (status) => [status],
          },
          {
            name: "dueStatus",
            label: t("learner:due-status"),
            options: dueStatusOptions(),
            toApi: (status) => [status],
          },
        ]}
        empty={{
          icon: GraduationCap,
          text: t("learner:courses.none"),
          action: { label: t("learner:library.title"), href: "/learning/library" },
        }}
        card={(enrollment) => (
          <>
            <CourseCard enrollment={enrollment} />
            {enrollment.canRecertify && <RecertifyButton enrollment={enrollment} />}
          </>
        )}
      />
    </Page>
  )
}
