import { useEffect } from "preact/hooks"
import { useRoute } from "preact-iso"
import { waitingReports } from "../../api/offline/waiting.ts"
import { useRead } from "../../api/queries.ts"
import { useStore } from "../../api/store.ts"
import { t } from "../../messages/messages.ts"
import { ErrorMessage, failedTitle, Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { useUrlState } from "../../ui/url-state.ts"
import { CompletionCard, CompletionDialog, useEnrollment } from "./completion.tsx"
import { CourseOverview } from "./course-overview.tsx"
import { type CourseModule, lessonToContinue } from "./module-props.ts"
import { Player, preloadModules } from "./player.tsx"
import { CONTINUE } from "./shared.tsx"

/** The modules of an enrollment. What was completed offline is shown as completed before the API knows it. */
function useModules(registrationId: number) {
  const query = useRead("/api/course/modules", { params: { query: { registrationId } } })
  const waiting = useStore(waitingReports)
  const isCompletedHere = ({ module_id }: CourseModule) =>
    waiting.some(
      ({ registrationId: enrollment, moduleId, status }) =>
        enrollment === registrationId && moduleId === module_id && status === "Completed",
    )
  const data = query.data?.map((module) =>
    isCompletedHere(module) ? { ...module, status: "Completed" as const } : module,
  )
  return { data, error: query.error }
}

/** An enrolled course: one of its lessons, or what the course is about. */
function Course({ courseId, registrationId }: { courseId: number; registrationId: number }) {
  const { query, change } = useUrlState()
  const course = useRead("/api/course/{id}", { params: { path: { id: courseId } } })
  const modules = useModules(registrationId)
  const { enrollment, isNewlyCompleted, dismiss } = useEnrollment(courseId, registrationId)
  const isContinuing = query.module === CONTINUE
  const module = isContinuing
    ? lessonToContinue(modules.data ?? [])
    : modules.data?.find(({ module_id }) => module_id === Number(query.module))
  const isLoaded = modules.data !== undefined
  useEffect(() => {
    // The lesson stays open when it is no longer the one to continue with.
    if (isContinuing && isLoaded) change({ module: module?.module_id }, { replace: true })
  }, [isContinuing, isLoaded])
  useEffect(warmUp, [])
  if (!course.data || !modules.data)
    return (
      <Page
        title={failedTitle(course) ?? t("learner:course")}
        parent={{ href: "/console/learning", label: t("nav.my-courses") }}
        key="loading"
      >
        {course.error ? <ErrorMessage error={course.error} /> : <Loaded query={modules}>{() => null}</Loaded>}
      </Page>
    )
  const required = new Set(course.data.modules.flatMap(({ module_id, required }) => (required ? [module_id] : [])))
  const isCompleted = enrollment?.status === "Completed"
  // No dialog over a SCORM package that is still running.
  const isPackage = module?.type === "scorm"
  return (
    <>
      {module ? (
        <Player
          key={module.module_id}
          course={{
            id: courseId,
            name: course.data.name,
            required,
            minTimes: new Map(course.data.modules.map(({ module_id, minTimeSpent }) => [module_id, minTimeSpent])),
          }}
          registrationId={registrationId}
          modules={modules.data}
          module={module}
          notice={isCompleted && isNewlyCompleted && isPackage && <CompletionCard enrollment={enrollment} />}
        />
      ) : (
        <CourseOverview
          key="overview"
          course={course.data}
          courseId={courseId}
          registrationId={registrationId}
          enrollment={enrollment}
          modules={modules.data}
          required={required}
        />
      )}
      {isCompleted && isNewlyCompleted && !isPackage && <CompletionDialog enrollment={enrollment} onClose={dismiss} />}
    </>
  )
}

/** The route keeps the component: another enrollment must not find the completion of the previous one. */
export default function CourseRoute() {
  const { courseId, registrationId } = useRoute().params
  return <Course key={registrationId} courseId={Number(courseId)} registrationId={Number(registrationId)} />
}

/** Loads the modules of a course and the views around it, so that they open without a connection. */
function warmUp() {
  const timer = setTimeout(() => {
    Promise.all([preloadModules(), import("./my-courses.tsx"), import("../home/learner-home.tsx")]).catch(
      () => undefined,
    )
  }, WARM_UP_DELAY_MS)
  return () => clearTimeout(timer)
}
const WARM_UP_DELAY_MS = 3000
