import { useEffect, useState } from "preact/hooks"
import { connection } from "../api/connection.ts"
import { waitingReports } from "../api/offline/waiting.ts"
import { useStore } from "../api/store.ts"
import { number, t } from "../messages/messages.ts"

const SECOND_MS = 1000

/** Shows why API calls are waiting. */
export function ConnectionBar() {
  const status = useStore(connection)
  const waiting = useStore(waitingReports).length
  const [secondsLeft, setSecondsLeft] = useState(0)
  useEffect(() => {
    if (status.state !== "waiting") return
    const count = () => setSecondsLeft(Math.max(0, Math.ceil((status.until - Date.now()) / SECOND_MS)))
    count()
    const timer = setInterval(count, SECOND_MS)
    return () => clearInterval(timer)
  }, [status])
  const text =
    status.state === "offline"
      ? t("connection.offline")
      : status.state === "waiting" && secondsLeft > 0
        ? t("connection.waiting")
        : ""
  return (
    <div class="connection" role="status">
      {text && (
        <p>
          {text}
          {status.state === "offline" && waiting > 0 && (
            <> {t("connection.waiting-reports", { count: waiting, shown: number(waiting) })}</>
          )}
          {status.state === "waiting" && (
            <span aria-hidden="true">
              {" "}
              {t("connection.seconds", { count: secondsLeft, shown: number(secondsLeft) })}
            </span>
          )}
        </p>
      )}
    </div>
  )
}
