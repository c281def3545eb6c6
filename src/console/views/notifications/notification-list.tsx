import { api } from "../../api/client.ts"
import { useChange } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Time } from "../../ui/time.tsx"
import { NOTIFICATION_QUERIES, type Notification } from "./kinds.ts"
import "./notifications.css"

interface NotificationListProps {
  notifications: readonly Notification[]
}

/** Notifications with links to what they are about. Opening one marks it as read. */
export function NotificationList({ notifications }: NotificationListProps) {
  const read = useChange({
    call: (id: number) => api.POST("/api/notifications/read", { body: { ids: [id] } }),
    invalidates: NOTIFICATION_QUERIES,
    successMessage: "",
  })
  if (notifications.length === 0) return <p class="quiet notifications-none">{t("notifications:empty")}</p>
  return (
    <ul class="notifications">
      {notifications.map(({ id, title, message, path, readAt, createdAt }) => (
        <li key={id} class={readAt === null ? "unread" : undefined}>
          <a href={path} onClick={() => readAt === null && read.mutate(id)}>
            <span dir="auto">{title}</span>
            {readAt === null && <span class="unseen"> ({t("notifications:unread")})</span>}
          </a>
          {message && (
            <>
              {message.sender && <p class="quiet">{t("notifications:message.from", { sender: message.sender })}</p>}
              <p class="lines" dir="auto">
                {message.text}
              </p>
            </>
          )}
          <p class="quiet">
            <Time value={createdAt} />
          </p>
        </li>
      ))}
    </ul>
  )
}

/** Marks all notifications as read. */
export function MarkAllRead() {
  const readAll = useChange({
    call: () => api.POST("/api/notifications/read-all"),
    invalidates: NOTIFICATION_QUERIES,
  })
  return (
    <button type="button" class="plain" disabled={readAll.isPending} onClick={() => readAll.mutate(undefined)}>
      {t("notifications:read-all")}
    </button>
  )
}
