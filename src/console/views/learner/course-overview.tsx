import { useMemo } from "preact/hooks"
import type { DataOf } from "../../../client/index.ts"
import { t } from "../../messages/messages.ts"
import { CourseImage } from "../../ui/course-image.tsx"
import { Page } from "../../ui/page.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { OwnDueDate } from "../compliance/statuses.tsx"
import { CompletionCard } from "./completion.tsx"
import { LessonList } from "./lesson-list.tsx"
import { type CourseModule, lessonToContinue } from "./module-props.ts"
import type { Enrollment } from "./my-courses.tsx"
import { courseUrl } from "./shared.tsx"

interface CourseOverviewProps {
  course: DataOf<"/api/course/{id}", "get">
  courseId: number
  registrationId: number
  enrollment: Enrollment | undefined
  modules: readonly CourseModule[]
  required: ReadonlySet<number>
}

/** What a course is about, its lessons, and the certificate of a completed one. */
export function CourseOverview({
  course,
  courseId,
  registrationId,
  enrollment,
  modules,
  required,
}: CourseOverviewProps) {
  const href = (moduleId: number) => courseUrl(courseId, registrationId, moduleId)
  const current = lessonToContinue(modules)
  const about = useMemo(
    () => [course.content, course.instructions].filter(Boolean).map((html) => <RichText html={html ?? ""} />),
    [course],
  )
  return (
    <Page title={course.name} parent={{ href: "/console/learning", label: t("nav.my-courses") }}>
      {enrollment && <OwnDueDate dueAt={enrollment.dueAt} status={enrollment.dueStatus} />}
      {enrollment?.status === "Completed" && <CompletionCard enrollment={enrollment} />}
      <div class="player">
        <section class="card" aria-label={t("learner:about")}>
          <CourseImage url={course.featuredImageUrl} />
          {current && (
            <p>
              <a class="button primary" href={href(current.module_id)}>
                {t("learner:continue-with", { module: current.name })}
              </a>
            </p>
          )}
          {about}
          <p class="quiet">{t("learner:by", { author: course.author })}</p>
        </section>
        <section class="card" aria-labelledby="content">
          <h2 id="content">{t("learner:modules")}</h2>
          <LessonList modules={modules} required={required} href={href} />
        </section>
      </div>
    </Page>
  )
}
