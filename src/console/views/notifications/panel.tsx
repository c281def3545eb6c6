import { useMe } from "../../api/me.tsx"
import { useRead } from "../../api/queries.ts"
import { t } from "../../messages/messages.ts"
import { Loaded } from "../../ui/error-message.tsx"
import { MarkAllRead, NotificationList } from "./notification-list.tsx"

const MAX_SHOWN = 8

/** The latest notifications, in the header. */
export default function NotificationsPanel() {
  const { unreadNotifications } = useMe()
  const list = useRead("/api/notifications", { params: { query: { page_size: MAX_SHOWN } } }, { isVolatile: true })
  return (
    <>
      <div class="panel-head">
        <h2 id="notifications-title">{t("notifications:title")}</h2>
        {unreadNotifications > 0 && <MarkAllRead />}
      </div>
      <Loaded query={list}>{({ records }) => <NotificationList notifications={records} />}</Loaded>
      <div class="panel-foot">
        <a href="/console/notifications">{t("notifications:all")}</a>
        <a href="/console/account#notification-preferences">{t("notifications:preferences")}</a>
      </div>
    </>
  )
}
