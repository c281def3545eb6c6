import { Circle, CircleCheck, CircleDot, Clock, Lock, type LucideIcon } from "lucide-preact"
import { number, t } from "../../messages/messages.ts"
import { Progress } from "../../ui/progress.tsx"
import { ModuleIcon } from "../courses/module-icon.tsx"
import { LockMessage } from "./lock-message.tsx"
import { type CourseModule, lockMessage, percentCompleted } from "./module-props.ts"
import { statusLabel } from "./shared.tsx"

const STATUS_ICONS: Record<string, LucideIcon> = {
  "Not Started": Circle,
  "In Progress": CircleDot,
  Submitted: Clock,
  Completed: CircleCheck,
}

/** The status of a lesson as an icon, with its name for screen readers. */
function LessonStatus({ module }: { module: CourseModule }) {
  const isLocked = lockMessage(module) !== ""
  const Icon = isLocked ? Lock : (STATUS_ICONS[module.status] ?? Circle)
  return (
    <span class={`lesson-status ${module.status === "Completed" ? "done" : ""}`}>
      <Icon size={18} aria-hidden />
      <span class="unseen">{isLocked ? t("learner:lesson.locked") : statusLabel(module.status)}</span>
    </span>
  )
}

interface LessonListProps {
  modules: readonly CourseModule[]
  required: ReadonlySet<number>
  openId?: number | undefined
  href: (moduleId: number) => string
}

/** The lessons of a course with their types and statuses, and the progress. */
export const LessonList = ({ modules, required, openId, href }: LessonListProps) => (
  <>
    <Progress label={t("learner:progress")} value={percentCompleted(modules, required)} />
    <ol class="lesson-list">
      {modules.map((module) => {
        const locked = lockMessage(module)
        const content = (
          <>
            <ModuleIcon type={module.type} />
            <span class="lesson-name">
              <span dir="auto">{module.name}</span>
              {locked ? (
                <span class="quiet">
                  <LockMessage reason={locked} />
                </span>
              ) : (
                module.points_awarded !== null && (
                  <span class="quiet">
                    {t("learner:points", { count: module.points_awarded, shown: number(module.points_awarded) })}
                  </span>
                )
              )}
            </span>
            <LessonStatus module={module} />
          </>
        )
        return (
          <li key={module.module_id}>
            {locked ? (
              <span class="lesson locked">{content}</span>
            ) : (
              <a
                class="lesson"
                href={href(module.module_id)}
                aria-current={module.module_id === openId ? "page" : undefined}
              >
                {content}
              </a>
            )}
          </li>
        )
      })}
    </ol>
  </>
)
