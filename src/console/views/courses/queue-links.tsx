import { useEffect } from "preact/hooks"
import { t } from "../../messages/messages.ts"
import { ErrorMessage } from "../../ui/error-message.tsx"
import { useNavigate } from "../../ui/url-state.ts"
import type { GradingQueue } from "./grading-queue.ts"

/** Elements that take typed text. */
const TYPING = "input, textarea, select, [contenteditable], dialog"

/** Links to the previous and the next submission of the queue, also with the keys K and J. */
export function QueueLinks({ queue: { previous, next, pathOf, error, retry } }: { queue: GradingQueue }) {
  const go = useNavigate()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = event.target instanceof Element && event.target.closest(TYPING) !== null
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
      const to = { j: next, k: previous }[event.key.toLowerCase()]
      if (to !== undefined) go(pathOf(to))
    }
    addEventListener("keydown", onKey)
    return () => removeEventListener("keydown", onKey)
  })
  const link = (to: number | undefined, label: string, key: string) =>
    to === undefined ? (
      <button type="button" disabled>
        {label}
      </button>
    ) : (
      <a class="button" href={`/console${pathOf(to)}`} aria-keyshortcuts={key} title={t("courses:grade.keys")}>
        {label}
      </a>
    )
  return (
    <>
      <ErrorMessage error={error} />
      {error !== null && (
        <button type="button" onClick={retry}>
          {t("unavailable.retry")}
        </button>
      )}
      {link(previous, t("courses:grade.previous"), "K")}
      {link(next, t("courses:grade.next"), "J")}
    </>
  )
}
