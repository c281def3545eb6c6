import { Circle, CircleCheckBig } from "lucide-preact"
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { hasAccess, useMe } from "../../api/me.tsx"
import { loadWithMessages, number, t } from "../../messages/messages.ts"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import type { StaffHomeData } from "./activity.tsx"

type Setup = StaffHomeData["setup"]

const storageKey = (userId: number) => `lectern.setup-dismissed.${userId}`

interface Step {
  name: "name" | "course" | "invite" | "publish"
  isDone: boolean
  /** The way to do it. @param isNext it is the first open step */
  actions: (isNext: boolean) => ComponentChildren
}

const StepRow = ({ name, isDone, isNext, actions }: Step & { isNext: boolean }) => {
  const Icon = isDone ? CircleCheckBig : Circle
  return (
    <li class={isDone ? "setup-step done" : "setup-step"}>
      <Icon size={22} aria-hidden />
      <div>
        <h3>
          {t(`home:setup.${name}`)} {isDone && <span class="unseen">{t("home:setup.done")}</span>}
        </h3>
        {!isDone && <p class="quiet">{t(`home:setup.${name}.about`)}</p>}
      </div>
      {!isDone && <div class="actions">{actions(isNext)}</div>}
    </li>
  )
}

/** Creates the sample course, and opens it. */
function SampleCourseButton({ isPrimary }: { isPrimary: boolean }) {
  const me = useMe()
  const go = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>()
  const create = async () => {
    setBusy(true)
    setError(undefined)
    try {
      const { createSampleCourse } = await loadWithMessages("sample", import("./sample-course.ts"))
      go(`/courses/${await createSampleCourse(me.academy)}`)
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <>
      <button type="button" class={isPrimary ? "primary" : undefined} disabled={isBusy} onClick={create}>
        {isBusy ? t("working") : t("home:setup.course.sample")}
      </button>
      <ErrorMessage error={error} />
    </>
  )
}

const Go = ({ href, label, isPrimary = false }: { href: string; label: string; isPrimary?: boolean }) => (
  <a class={isPrimary ? "button primary" : "button"} href={`/console${href}`}>
    {t(label)}
  </a>
)

/** The steps that the user may take. */
function stepsOf(setup: Setup, canChangeSettings: boolean): Step[] {
  const draft = setup.newestDraftId
  const name: Step = {
    name: "name",
    isDone: setup.isNamed,
    actions: (isNext) => <Go href="/settings" label="home:setup.name.open" isPrimary={isNext} />,
  }
  return [
    ...(canChangeSettings ? [name] : []),
    {
      name: "course",
      isDone: setup.courses > 0,
      actions: (isNext) => (
        <>
          <SampleCourseButton isPrimary={isNext} />
          <Go href="/courses/new" label="home:setup.course.empty" />
        </>
      ),
    },
    {
      name: "invite",
      isDone: setup.users > 1,
      actions: (isNext) => (
        <Go
          href={draft === null ? "/users/new" : `/courses/${draft}?invite=1`}
          label="home:setup.invite.open"
          isPrimary={isNext}
        />
      ),
    },
    {
      name: "publish",
      isDone: setup.publishedCourses > 0,
      actions: (isNext) => (
        <Go
          href={draft === null ? "/courses" : `/courses/${draft}`}
          label={draft === null ? "nav.courses" : "home:setup.publish.open"}
          isPrimary={isNext}
        />
      ),
    },
  ]
}

/**
 * The first steps of a new academy, until it has learners and a published course, or the user dismisses them. The API
 * knows what is done.
 */
export function SetupChecklist({ setup }: { setup: Setup }) {
  const me = useMe()
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(storageKey(me.id)) !== null)
  const steps = stepsOf(setup, hasAccess(me, "admin"))
  const next = steps.find(({ isDone }) => !isDone)
  const done = steps.filter(({ isDone }) => isDone).length
  const isRunning = setup.courses > 0 && setup.users > 1 && setup.publishedCourses > 0
  if (isDismissed || isRunning) return null
  const dismiss = () => {
    localStorage.setItem(storageKey(me.id), "1")
    setDismissed(true)
  }
  return (
    <section class="card setup" aria-labelledby="setup">
      <header>
        <div>
          <h2 id="setup">{t("home:setup")}</h2>
          <p class="quiet">{t("home:setup.progress", { done: number(done), of: number(steps.length) })}</p>
        </div>
        <button type="button" class="plain" onClick={dismiss}>
          {t("home:setup.dismiss")}
        </button>
      </header>
      <progress aria-label={t("home:setup")} max={steps.length} value={done} />
      <ol>
        {steps.map((step) => (
          <StepRow key={step.name} {...step} isNext={step === next} />
        ))}
      </ol>
    </section>
  )
}
