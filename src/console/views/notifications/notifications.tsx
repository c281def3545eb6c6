import { useInfiniteQuery } from "@tanstack/preact-query"
import { api } from "../../api/client.ts"
import { useMe } from "../../api/me.tsx"
import { t } from "../../messages/messages.ts"
import { ErrorMessage, Loaded } from "../../ui/error-message.tsx"
import { Page } from "../../ui/page.tsx"
import { MarkAllRead, NotificationList } from "./notification-list.tsx"

/** All notifications of the last 90 days, the unread first. */
export default function Notifications() {
  const { unreadNotifications } = useMe()
  const pages = useInfiniteQuery({
    queryKey: ["/api/notifications", "all"],
    queryFn: async ({ pageParam, signal }) =>
      (await api.GET("/api/notifications", { params: { query: pageParam ? { cursor: pageParam } : {} }, signal })).data,
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  return (
    <Page
      title={t("notifications:title")}
      actions={
        <>
          {unreadNotifications > 0 && <MarkAllRead />}
          <a class="button" href="/console/account#notification-preferences">
            {t("notifications:preferences")}
          </a>
        </>
      }
    >
      <Loaded query={pages}>
        {(loaded) => (
          <section class="card" aria-label={t("notifications:title")} aria-busy={pages.isFetchingNextPage}>
            <NotificationList notifications={loaded.pages.flatMap(({ records }) => records)} />
            {pages.isFetchNextPageError && <ErrorMessage error={pages.error} />}
            {pages.hasNextPage && (
              <button type="button" onClick={() => pages.fetchNextPage()}>
                {t(pages.isFetchNextPageError ? "unavailable.retry" : "notifications:more")}
              </button>
            )}
          </section>
        )}
      </Loaded>
    </Page>
  )
}
