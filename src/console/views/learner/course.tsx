import { useEffect, useMemo, useRef } from "preact/hooks"
import { useRoute } from "preact-iso"
import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { CourseImage } from "../../ui/course-image.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { navigated, Page } from "../../ui/page.tsx"
import { Progress } from "../../ui/progress.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { OwnDueDate } from "../compliance/statuses.tsx"
import { AssignmentModule } from "./assignment-module.tsx"
import { CompletionCard, CompletionDialog, useEnrollment } from "./completion.tsx"
import { ContentModule } from "./content-module.tsx"
import type { CourseModule, ModuleProps } from "./module-props.ts"
import { QuizModule } from "./quiz-module.tsx"
import { ScormModule } from "./scorm-module.tsx"
import { courseUrl, StatusBadge } from "./shared.tsx"

const MODULE_COMPONENTS = {
  text: ContentModule,
  video: ContentModule,
  quiz: QuizModule,
  assignment: AssignmentModule,
  scorm: ScormModule,
} as const

/** Why a module can't be opened; "" if it can. */
const lockMessage = ({ is_locked, lock_reason, is_dripped, drip_message }: CourseModule) =>
  is_dripped ? drip_message : is_locked ? lock_reason : ""

/** Progress in percent: of the required modules, or of all if none is required. */
function percentCompleted(modules: CourseModule[], required: ReadonlySet<number>) {
  const counted = required.size === 0 ? modules : modules.filter(({ module_id }) => required.has(module_id))
  const completed = counted.filter(({ status }) => status === "Completed").length
  return counted.length === 0 ? 0 : Math.floor((100 * completed) / counted.length)
}

interface ModuleListProps {
  modules: CourseModule[]
  required: ReadonlySet<number>
  openId: number | undefined
  href: (moduleId: number) => string
}

function ModuleList({ modules, required, openId, href }: ModuleListProps) {
  return (
    <nav class="card" aria-label={t("learner:modules")}>
      <h2>{t("learner:modules")}</h2>
      <Progress label={t("learner:progress")} value={percentCompleted(modules, required)} />
      <ol class="modules">
        {modules.map((module) => (
          <li key={module.module_id}>
            {lockMessage(module) ? (
              <>
                {module.name}
                <p class="quiet" lang="en" dir="auto">
                  {lockMessage(module)}
                </p>
              </>
            ) : (
              <>
                <a href={href(module.module_id)} aria-current={module.module_id === openId ? "true" : undefined}>
                  {module.name}
                </a>{" "}
                <StatusBadge status={module.status} />
                {module.points_awarded !== null && (
                  <p class="quiet">
                    {t("learner:points", { count: module.points_awarded, shown: number(module.points_awarded) })}
                  </p>
                )}
              </>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

/** The open module. */
function OpenModule(props: ModuleProps & { next: string | undefined }) {
  const { module, next } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (navigated.get()) heading.current?.focus()
  }, [])
  const ModuleComponent = MODULE_COMPONENTS[module.type]
  const locked = lockMessage(module)
  return (
    <section class="card" aria-labelledby="module">
      <h2 id="module" ref={heading} tabIndex={-1}>
        {module.name}
      </h2>
      <p>
        <StatusBadge status={module.status} />
      </p>
      {locked ? (
        <p lang="en" dir="auto">
          {locked}
        </p>
      ) : (
        <ModuleComponent {...props} />
      )}
      {module.status === "Completed" && next && (
        <p>
          <a class="button primary" href={next}>
            {t("learner:next")}
          </a>
        </p>
      )}
    </section>
  )
}

/** An enrolled course with its modules. */
export default function Course() {
  const { params } = useRoute()
  const courseId = Number(params.courseId)
  const registrationId = Number(params.registrationId)
  const { query } = useUrlState()
  const course = useRead("/api/course/{id}", { params: { path: { id: courseId } } })
  const modules = useRead("/api/course/modules", { params: { query: { registrationId } } })
  const { enrollment, isNewlyCompleted, dismiss } = useEnrollment(courseId, registrationId)
  const isCompleted = enrollment?.status === "Completed"
  const required = new Set(
    (course.data?.modules ?? []).flatMap((module) => (module.required ? [module.module_id] : [])),
  )
  const href = (moduleId: number) => courseUrl(courseId, registrationId, moduleId)
  const about = useMemo(
    () =>
      [course.data?.content, course.data?.instructions].filter(Boolean).map((html) => <RichText html={html ?? ""} />),
    [course.data],
  )
  return (
    <Page
      title={course.data?.name ?? t("learner:course")}
      parent={{ href: "/console/learning", label: t("nav.my-courses") }}
    >
      {enrollment && <OwnDueDate dueAt={enrollment.dueAt} status={enrollment.dueStatus} />}
      <Loaded query={modules}>
        {(list) => {
          const index = list.findIndex(({ module_id }) => module_id === Number(query.module))
          const open = list[index]
          const current = list.find((module) => module.is_current && !lockMessage(module))
          const next = list.slice(index + 1).find((module) => !lockMessage(module))
          // No dialog over a SCORM package that is still running.
          const isPackage = open?.type === "scorm"
          return (
            <>
              {isCompleted && (!open || (isNewlyCompleted && isPackage)) && <CompletionCard enrollment={enrollment} />}
              {isCompleted && isNewlyCompleted && !isPackage && (
                <CompletionDialog enrollment={enrollment} onClose={dismiss} />
              )}
              <div class="course">
                <ModuleList modules={list} required={required} openId={open?.module_id} href={href} />
                {open ? (
                  <OpenModule
                    key={open.module_id}
                    registrationId={registrationId}
                    module={open}
                    minTimeSpent={
                      course.data?.modules.find(({ module_id }) => module_id === open.module_id)?.minTimeSpent ?? 0
                    }
                    next={next && href(next.module_id)}
                  />
                ) : (
                  <section class="card" aria-label={t("learner:about")}>
                    <CourseImage url={course.data?.featuredImageUrl} />
                    {about}
                    {course.data && <p class="quiet">{t("learner:by", { author: course.data.author })}</p>}
                    {current && (
                      <a class="button primary" href={href(current.module_id)}>
                        {t("learner:continue-with", { module: current.name })}
                      </a>
                    )}
                  </section>
                )}
              </div>
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}
