import { Bell } from "lucide-preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { ErrorBoundary } from "preact-iso"
import { useMe } from "./api/me.tsx"
import { number, t } from "./messages/messages.ts"
import { view } from "./views/view.ts"

const NotificationsPanel = view("notifications", () => import("./views/notifications/panel.tsx"))

/** The API counts to 100. */
const MAX_COUNT = 99

/** The bell in the header: the number of unread notifications, and a panel with the latest. */
export function NotificationsBell({ url }: { url: string }) {
  const { unreadNotifications: unread } = useMe()
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => panel.current?.hidePopover(), [url])
  const label = unread > 0 ? t("nav.notifications.unread", { count: unread, shown: number(unread) }) : ""
  return (
    <div class="bell">
      <button type="button" class="icon" popovertarget="notifications" aria-label={label || t("nav.notifications")}>
        <Bell size={20} aria-hidden />
        {unread > 0 && (
          <span class="count" aria-hidden="true">
            {unread > MAX_COUNT ? `${number(MAX_COUNT)}+` : number(unread)}
          </span>
        )}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key on a link is a click, too */}
      <div
        class="popup panel"
        id="notifications"
        popover="auto"
        role="dialog"
        aria-label={t("nav.notifications")}
        ref={panel}
        onToggle={(event) => setIsOpen(event.newState === "open")}
        onClick={({ target }) => {
          // A link to the current page does not change the URL.
          if (target instanceof Element && target.closest("a")) panel.current?.hidePopover()
        }}
      >
        {isOpen && (
          // The panel loads on demand: without a boundary of its own, the whole page would wait for it.
          <ErrorBoundary>
            <NotificationsPanel />
          </ErrorBoundary>
        )}
      </div>
    </div>
  )
}
