import { useEffect, useState } from "preact/hooks"
import { redirectToSignIn } from "../../api/client.ts"
import { reportProgress } from "../../api/offline/progress-queue.ts"
import { queryClient, toQueryOptions } from "../../api/queries.ts"
import { type Store, store } from "../../api/store.ts"
import type { CourseModule } from "./module-props.ts"

/** A module of an enrollment. */
export interface ModuleRef {
  registrationId: number
  moduleId: number
}

/** Seconds in the module that its loaded record does not include, and those of them not yet reported to the API. */
interface Spent {
  seconds: number
  unsent: number
}

export interface TimeSpent {
  spent: Store<Spent>
  /** Called on user activity. */
  markActive: () => void
  /** Adds seconds spent elsewhere, such as watching a video on another site. */
  add: (seconds: number) => void
  /** Takes the unreported seconds for a request; `restoreUnsent` returns them if it fails. */
  takeUnsent: () => number
  restoreUnsent: (seconds: number) => void
}

const SECOND_MS = 1000
/** Seconds between reports: the maximum loss when the window closes. */
const REPORT_INTERVAL = 30
/** Inactivity after which time no longer counts. */
const IDLE_MS = 120_000
const ACTIVITY_EVENTS = ["pointermove", "pointerdown", "keydown", "scroll"] as const

/** Adds reported seconds to the loaded record, so that they still count when the learner returns to the module. */
function recordSeconds({ registrationId, moduleId }: ModuleRef, seconds: number) {
  const { queryKey } = toQueryOptions("/api/course/modules", { params: { query: { registrationId } } })
  const updatedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt ?? 0
  const withSeconds = (module: CourseModule): CourseModule => {
    const { module_id, total_time_spent: recorded } = module
    if (module_id !== moduleId || recorded === "") return module
    return { ...module, total_time_spent: { ...recorded, totalSeconds: recorded.totalSeconds + seconds } }
  }
  queryClient.setQueryData<CourseModule[]>(queryKey, (modules) => modules?.map(withSeconds), { updatedAt })
}

/**
 * Counts and reports the seconds that a learner spends in a module, while the page is visible and the learner active.
 * @param isCounting false for completed modules
 */
export function useTimeSpent({ registrationId, moduleId }: ModuleRef, isCounting: boolean): TimeSpent {
  const [time] = useState(() => {
    const spent = store<Spent>({ seconds: 0, unsent: 0 })
    let lastActivity = Date.now()
    const update = (seconds: number, unsent: number) => {
      const current = spent.get()
      spent.set({ seconds: current.seconds + seconds, unsent: current.unsent + unsent })
    }
    return {
      spent,
      markActive: () => {
        lastActivity = Date.now()
      },
      add: (seconds: number) => update(seconds, seconds),
      takeUnsent: () => {
        const { unsent } = spent.get()
        update(0, -unsent)
        return unsent
      },
      restoreUnsent: (seconds: number) => update(0, seconds),
      markRecorded: (seconds: number) => update(-seconds, 0),
      isActive: () => document.visibilityState === "visible" && Date.now() - lastActivity < IDLE_MS,
    }
  })
  useEffect(() => {
    if (!isCounting) return
    const report = async () => {
      const timeSpent = time.takeUnsent()
      if (timeSpent === 0) return
      try {
        // Without a connection it is sent later.
        await reportProgress({ registrationId, moduleId, timeSpent })
        recordSeconds({ registrationId, moduleId }, timeSpent)
        time.markRecorded(timeSpent)
      } catch (error) {
        // Rejected time is not counted.
        redirectToSignIn(error)
      }
    }
    const timer = setInterval(() => {
      if (!time.isActive()) return
      time.add(1)
      if (time.spent.get().unsent >= REPORT_INTERVAL) report()
    }, SECOND_MS)
    const onHide = () => {
      if (document.visibilityState === "hidden") report()
    }
    for (const name of ACTIVITY_EVENTS) addEventListener(name, time.markActive, { passive: true })
    document.addEventListener("visibilitychange", onHide)
    return () => {
      clearInterval(timer)
      for (const name of ACTIVITY_EVENTS) removeEventListener(name, time.markActive)
      document.removeEventListener("visibilitychange", onHide)
      report()
    }
  }, [isCounting, registrationId, moduleId])
  return time
}
