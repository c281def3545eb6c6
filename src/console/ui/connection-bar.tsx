import { useEffect, useState } from "preact/hooks"
import { connection } from "../api/connection.ts"
import { useStore } from "../api/store.ts"
import { number, t } from "../messages/messages.ts"

const SECOND = 1000

/** Says what calls wait for, as long as they do. */
export function ConnectionBar() {
  const now = useStore(connection)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (now.state !== "waiting") return
    const count = () => setLeft(Math.max(0, Math.ceil((now.until - Date.now()) / SECOND)))
    count()
    const timer = setInterval(count, SECOND)
    return () => clearInterval(timer)
  }, [now])
  const text =
    now.state === "offline"
      ? t("connection.offline")
      : now.state === "waiting" && left > 0
        ? t("connection.waiting")
        : ""
  return (
    <div class="connection" role="status">
      {text && (
        <p>
          {text}
          {now.state === "waiting" && (
            <span aria-hidden="true"> {t("connection.seconds", { count: left, shown: number(left) })}</span>
          )}
        </p>
      )}
    </div>
  )
}
