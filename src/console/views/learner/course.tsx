import { useEffect, useMemo, useRef } from "preact/hooks"
import { useRoute } from "preact-iso"
import { useRead } from "../../api/queries.ts"
import { number, t } from "../../messages/messages.ts"
import { Picture } from "../../ui/course-image.tsx"
import { Loaded } from "../../ui/error-message.tsx"
import { moved, Page } from "../../ui/page.tsx"
import { Progress } from "../../ui/progress.tsx"
import { RichText } from "../../ui/rich-text.tsx"
import { useAddress } from "../../ui/url-state.ts"
import { AssignmentModule } from "./assignment-module.tsx"
import { Completed, CompletionDialog, useRegistration } from "./completion.tsx"
import { ReadingModule } from "./content-module.tsx"
import type { CourseModule, ModuleProps } from "./module-props.ts"
import { QuizModule } from "./quiz-module.tsx"
import { ScormModule } from "./scorm-module.tsx"
import { courseAddress, State } from "./shared.tsx"

const KINDS = {
  text: ReadingModule,
  video: ReadingModule,
  quiz: QuizModule,
  assignment: AssignmentModule,
  scorm: ScormModule,
} as const

/** Why a module cannot be opened; empty: it can. */
const closedBy = ({ is_locked, lock_reason, is_dripped, drip_message }: CourseModule) =>
  is_dripped ? drip_message : is_locked ? lock_reason : ""

/** How much of what counts is completed: the required modules, or all where none is. From 0 to 100, rounded down. */
function percentOf(modules: CourseModule[], required: ReadonlySet<number>) {
  const counted = required.size === 0 ? modules : modules.filter(({ module_id }) => required.has(module_id))
  const completed = counted.filter(({ status }) => status === "Completed").length
  return counted.length === 0 ? 0 : Math.floor((100 * completed) / counted.length)
}

interface ModulesProps {
  of: CourseModule[]
  required: ReadonlySet<number>
  /** The open one's id. */
  open: number | undefined
  href: (moduleId: number) => string
}

/** The modules in their order, and which of them is open. */
function Modules({ of, required, open, href }: ModulesProps) {
  return (
    <nav class="card" aria-label={t("learner:modules")}>
      <h2>{t("learner:modules")}</h2>
      <Progress label={t("learner:progress")} value={percentOf(of, required)} />
      <ol class="modules">
        {of.map((module) => (
          <li key={module.module_id}>
            {closedBy(module) ? (
              <>
                {module.name}
                <p class="quiet" lang="en" dir="auto">
                  {closedBy(module)}
                </p>
              </>
            ) : (
              <>
                <a href={href(module.module_id)} aria-current={module.module_id === open ? "true" : undefined}>
                  {module.name}
                </a>{" "}
                <State of={module.status} />
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

/** A module of the course, opened. */
function Opened(props: ModuleProps & { next: string | undefined }) {
  const { module, next } = props
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (moved.get()) heading.current?.focus()
  }, [])
  const Kind = KINDS[module.type]
  const closed = closedBy(module)
  return (
    <section class="card" aria-labelledby="module">
      <h2 id="module" ref={heading} tabIndex={-1}>
        {module.name}
      </h2>
      <p>
        <State of={module.status} />
      </p>
      {closed ? (
        <p lang="en" dir="auto">
          {closed}
        </p>
      ) : (
        <Kind {...props} />
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

/** A course of one's own: its modules beside the one that is open. */
export default function Course() {
  const { params } = useRoute()
  const courseId = Number(params.courseId)
  const registrationId = Number(params.registrationId)
  const { query } = useAddress()
  const course = useRead("/api/course/{id}", { params: { path: { id: courseId } } })
  const modules = useRead("/api/course/modules", { params: { query: { registrationId } } })
  const { registration, isNew, close } = useRegistration(courseId, registrationId)
  const isCompleted = registration?.status === "Completed"
  const required = new Set((course.data?.modules ?? []).flatMap((one) => (one.required ? [one.module_id] : [])))
  const href = (moduleId: number) => courseAddress(courseId, registrationId, moduleId)
  const about = useMemo(
    () =>
      [course.data?.content, course.data?.instructions].filter(Boolean).map((html) => <RichText html={html ?? ""} />),
    [course.data],
  )
  return (
    <Page
      title={course.data?.name ?? t("learner:course")}
      within={{ href: "/console/learning", label: t("nav.my-courses") }}
    >
      <Loaded of={modules}>
        {(list) => {
          const at = list.findIndex(({ module_id }) => module_id === Number(query.module))
          const open = list[at]
          const current = list.find((module) => module.is_current && !closedBy(module))
          const after = list.slice(at + 1).find((module) => !closedBy(module))
          // A package may still be running in its frame: a dialog would take it away from the learner.
          const isPackage = open?.type === "scorm"
          return (
            <>
              {isCompleted && (!open || (isNew && isPackage)) && <Completed of={registration} />}
              {isCompleted && isNew && !isPackage && <CompletionDialog of={registration} onClose={close} />}
              <div class="course">
                <Modules of={list} required={required} open={open?.module_id} href={href} />
                {open ? (
                  <Opened
                    key={open.module_id}
                    registrationId={registrationId}
                    module={open}
                    minTimeSpent={
                      course.data?.modules.find(({ module_id }) => module_id === open.module_id)?.minTimeSpent ?? 0
                    }
                    next={after && href(after.module_id)}
                  />
                ) : (
                  <section class="card" aria-label={t("learner:about")}>
                    <Picture url={course.data?.featuredImageUrl} />
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
