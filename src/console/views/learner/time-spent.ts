import { useEffect, useState } from "preact/hooks"
import { api, toSignIn } from "../../api/client.ts"
import { type Store, store } from "../../api/store.ts"

/** A module of a registration. */
export interface Place {
  registrationId: number
  moduleId: number
}

/** Seconds at a module since it was opened here, and those of them that the service was not told yet. */
interface Spent {
  seconds: number
  unsent: number
}

export interface TimeSpent {
  spent: Store<Spent>
  /** Something was done: the learner is there. */
  act: () => void
  /** Adds seconds that passed elsewhere, as at a film of another site. */
  add: (seconds: number) => void
  /** The seconds that were not told yet, for a call that tells them. They count as told until `giveBack`. */
  take: () => number
  giveBack: (seconds: number) => void
}

const SECOND = 1000
/** Seconds between two reports: what closing the window loses at most. */
const INTERVAL = 30
/** Milliseconds without a key, a movement or a scroll, after which nobody is there. */
const AWAY = 120_000
const ACTS = ["pointermove", "pointerdown", "keydown", "scroll"] as const

/**
 * Counts the seconds that a learner is at a module, and tells the service of them: while the page is seen, and they
 * have done something lately.
 * @param counts false: nothing is counted, as of what is completed
 */
export function useTimeSpent({ registrationId, moduleId }: Place, counts: boolean): TimeSpent {
  const [time] = useState(() => {
    const spent = store<Spent>({ seconds: 0, unsent: 0 })
    let last = Date.now()
    const change = (seconds: number, unsent: number) => {
      const now = spent.get()
      spent.set({ seconds: now.seconds + seconds, unsent: now.unsent + unsent })
    }
    return {
      spent,
      act: () => {
        last = Date.now()
      },
      add: (seconds: number) => change(seconds, seconds),
      take: () => {
        const { unsent } = spent.get()
        change(0, -unsent)
        return unsent
      },
      giveBack: (seconds: number) => change(0, seconds),
      isThere: () => document.visibilityState === "visible" && Date.now() - last < AWAY,
    }
  })
  useEffect(() => {
    if (!counts) return
    const report = async () => {
      const timeSpent = time.take()
      if (timeSpent === 0) return
      // The client repeats what did not arrive; what the service refuses counts nothing.
      await api.POST("/api/module/progress", { body: { registrationId, moduleId, timeSpent } }).catch(toSignIn)
    }
    const timer = setInterval(() => {
      if (!time.isThere()) return
      time.add(1)
      if (time.spent.get().unsent >= INTERVAL) report()
    }, SECOND)
    const leave = () => {
      if (document.visibilityState === "hidden") report()
    }
    for (const name of ACTS) addEventListener(name, time.act, { passive: true })
    document.addEventListener("visibilitychange", leave)
    return () => {
      clearInterval(timer)
      for (const name of ACTS) removeEventListener(name, time.act)
      document.removeEventListener("visibilitychange", leave)
      report()
    }
  }, [counts, registrationId, moduleId])
  return time
}
