import { useEffect, useRef, useState } from "preact/hooks"
import { announce } from "../../api/announce.ts"
import { number, t } from "../../messages/messages.ts"

const SECOND_MS = 1000
export const SECONDS_PER_MINUTE = 60
const SECONDS_PER_HOUR = 3600

const twoDigits = (value: number) => number(value, { minimumIntegerDigits: 2 })

/** Formats seconds as minutes and seconds, such as 4:05; from one hour on with hours, such as 1:04:05. */
function clock(seconds: number): string {
  const [hours, minutes] = [Math.floor(seconds / SECONDS_PER_HOUR), Math.floor(seconds / SECONDS_PER_MINUTE) % 60]
  const start = hours > 0 ? [number(hours), twoDigits(minutes)] : [number(minutes)]
  return [...start, twoDigits(seconds % SECONDS_PER_MINUTE)].join(":")
}

/** Countdown to `deadline` (epoch milliseconds); calls `onEnd` once. */
export function Countdown({ deadline, onEnd }: { deadline: number; onEnd: () => void }) {
  const [remainingMs, setRemainingMs] = useState(deadline - Date.now())
  const announced = useRef({ end: false, lastMinute: remainingMs <= SECONDS_PER_MINUTE * SECOND_MS })
  useEffect(() => {
    const timer = setInterval(() => {
      const remaining = deadline - Date.now()
      setRemainingMs(remaining)
      if (remaining <= SECONDS_PER_MINUTE * SECOND_MS && !announced.current.lastMinute) {
        announced.current.lastMinute = true
        announce(t("learner:quiz.last-minute"))
      }
      if (remaining <= 0 && !announced.current.end) {
        announced.current.end = true
        onEnd()
      }
    }, SECOND_MS)
    return () => clearInterval(timer)
  }, [deadline])
  const seconds = Math.max(0, Math.ceil(remainingMs / SECOND_MS))
  return <p role="timer">{t("learner:quiz.time-left", { time: clock(seconds) })}</p>
}
