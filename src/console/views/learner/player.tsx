import { ChevronLeft, ChevronRight, ListTree, X } from "lucide-preact"
import type { ComponentChild, FunctionComponent } from "preact"
import { useLocation } from "preact-iso"
import { number, t } from "../../messages/messages.ts"
import { navigated, Page } from "../../ui/page.tsx"
import { UnavailablePart } from "../../ui/unavailable-view.tsx"
import { part } from "../part.tsx"
import { ContentModule } from "./content-module.tsx"
import { LessonList } from "./lesson-list.tsx"
import { LockMessage } from "./lock-message.tsx"
import { type CourseModule, lockMessage, type ModuleProps } from "./module-props.ts"
import { OfflineNotice } from "./offline-notice.tsx"
import { courseUrl, StatusBadge } from "./shared.tsx"

/** A module whose code loads when it opens. The links to the other modules appear with it, so that they don't move. */
const onDemand = (load: () => Promise<{ default: FunctionComponent<ModuleProps> }>) =>
  part("learner", async () => {
    const { default: Module } = await load().catch(() => ({ default: UnavailablePart }))
    return {
      default: (props: ModuleProps) => (
        <>
          <OfflineNotice />
          <Module {...props} />
          {props.navigation()}
        </>
      ),
    }
  })

const LOADERS = {
  quiz: () => import("./quiz-module.tsx"),
  assignment: () => import("./assignment-module.tsx"),
  scorm: () => import("./scorm-module.tsx"),
}

/** Loads the code of all modules, so that they open without a connection. */
export const preloadModules = () => Promise.all(Object.values(LOADERS).map((load) => load()))

const MODULE_COMPONENTS = {
  text: ContentModule,
  video: ContentModule,
  quiz: onDemand(LOADERS.quiz),
  assignment: onDemand(LOADERS.assignment),
  scorm: onDemand(LOADERS.scorm),
} as const

/** What the learner has handed in or completed; the other statuses are those of every open lesson. */
const SHOWN_STATUSES: ReadonlySet<string> = new Set(["Completed", "Submitted"])

interface PlayerProps {
  course: { id: number; name: string; minTimes: ReadonlyMap<number, number>; required: ReadonlySet<number> }
  registrationId: number
  modules: readonly CourseModule[]
  module: CourseModule
  /** Above the lesson. */
  notice?: ComponentChild
}

/** The previous and the next lesson; a locked one has no link. */
function neighbors(modules: readonly CourseModule[], module: CourseModule) {
  const index = modules.findIndex(({ module_id }) => module_id === module.module_id)
  const isOpen = (candidate: CourseModule) => !lockMessage(candidate)
  return { previous: modules.slice(0, index).findLast(isOpen), next: modules.slice(index + 1).find(isOpen) }
}

/** One lesson: its content, the way to the next one, and the list of lessons, which is a drawer on a phone. */
export function Player({ course, registrationId, modules, module, notice }: PlayerProps) {
  const { route } = useLocation()
  const href = (moduleId: number) => courseUrl(course.id, registrationId, moduleId)
  const { previous, next } = neighbors(modules, module)
  const index = modules.findIndex(({ module_id }) => module_id === module.module_id)
  const isLast = modules.slice(index + 1).every(({ status }) => status === "Completed" || status === "Submitted")
  const completed = modules.filter(({ status }) => status === "Completed").length
  const ModuleComponent = MODULE_COMPONENTS[module.type]
  const locked = lockMessage(module)
  const navigation = (complete?: ComponentChild) => (
    <nav class="lesson-nav" aria-label={t("learner:lesson.navigation")}>
      {previous && (
        <a class="button" href={href(previous.module_id)} rel="prev">
          <ChevronLeft size={18} class="directed" aria-hidden /> {t("learner:previous")}
        </a>
      )}
      <span class="lesson-nav-end">
        {complete}
        {!complete && next && (
          <a class={`button ${module.status === "Completed" ? "primary" : ""}`} href={href(next.module_id)} rel="next">
            {t("learner:next")} <ChevronRight size={18} class="directed" aria-hidden />
          </a>
        )}
        {!complete && !next && (
          <a class="button" href={courseUrl(course.id, registrationId)}>
            {t("learner:to-course")}
          </a>
        )}
      </span>
    </nav>
  )
  return (
    <Page
      title={module.name}
      parent={{ href: courseUrl(course.id, registrationId), label: course.name }}
      actions={
        <button type="button" class="lessons-button" popovertarget="lessons">
          <ListTree size={18} aria-hidden />{" "}
          {t("learner:lessons.of", { completed: number(completed), of: number(modules.length) })}
        </button>
      }
    >
      {notice}
      <div class="player">
        <section class="card lesson-content" aria-labelledby="lesson">
          <h2 class="unseen" id="lesson">
            {t("learner:lesson")}
          </h2>
          {SHOWN_STATUSES.has(module.status) && (
            <p>
              <StatusBadge status={module.status} />
            </p>
          )}
          {locked ? (
            <>
              <p>
                <LockMessage reason={locked} />
              </p>
              {navigation()}
            </>
          ) : (
            <ModuleComponent
              registrationId={registrationId}
              module={module}
              minTimeSpent={course.minTimes.get(module.module_id) ?? 0}
              isLast={isLast}
              navigation={navigation}
              onCompleted={() => {
                const following = modules[index + 1]
                if (!following || isLast) return
                navigated.set(true)
                route(href(following.module_id))
              }}
            />
          )}
        </section>
        <nav class="card lessons" id="lessons" popover="auto" aria-labelledby="lessons-title">
          <div class="dialog-head">
            <h2 id="lessons-title">{t("learner:modules")}</h2>
            <button type="button" class="plain" popovertarget="lessons" popovertargetaction="hide">
              <X size={18} aria-hidden />
              <span class="unseen">{t("close")}</span>
            </button>
          </div>
          <LessonList modules={modules} required={course.required} openId={module.module_id} href={href} />
        </nav>
      </div>
    </Page>
  )
}
