import { QueryClientProvider } from "@tanstack/preact-query"
import { useEffect } from "preact/hooks"
import { ErrorBoundary, LocationProvider, Route, Router } from "preact-iso"
import { announce } from "./api/announce.ts"
import { hasAccess, MeContext, useMe } from "./api/me.tsx"
import { queryClient, useRead } from "./api/queries.ts"
import { followLanguageOf, t, useLanguage } from "./messages/messages.ts"
import { Shell } from "./shell.tsx"
import { DialogHost } from "./ui/dialog-host.tsx"
import { Loaded, Loading } from "./ui/error-message.tsx"
import { Page } from "./ui/page.tsx"
import { routeOf, views } from "./views.ts"

const NotFound = () => (
  <Page title={t("not-found.title")}>
    <p>{t("not-found.text")}</p>
    <a class="button" href="/console">
      {t("nav.home")}
    </a>
  </Page>
)

/**
 * Routes every view. A view that the role can't open renders NotFound; without a route of its own, `/users/new` would
 * match `/users/:id`.
 */
function Views() {
  const me = useMe()
  return (
    <Router>
      {views.map((view) => (
        <Route
          key={view.path}
          path={routeOf(view)}
          component={hasAccess(me, view.access) ? view.component : NotFound}
        />
      ))}
      <Route default component={NotFound} />
    </Router>
  )
}

/** Tells the user which progress the API refused when the connection came back. */
const onRefused = (messages: readonly string[]) => announce(messages.join(" "))

let isSyncing = false

/** Prepares the device for offline use, once, after the first view. */
async function prepareOffline() {
  if (isSyncing) return
  isSyncing = true
  const { startSync } = await import("./api/offline/sync.ts")
  await startSync(onRefused)
}

/** The header alone, as in `index.html`, until the user is known. */
const EmptyShell = () => (
  <div class="shell">
    <header class="top">
      <a class="brand" href="/console">
        <img src="/assets/logo.svg" alt="" width="28" height="28" />
      </a>
    </header>
    <main>
      <Loading />
    </main>
  </div>
)

function SignedIn() {
  const me = useRead("/api/me", {}, { refetchOnFocus: true })
  const person = me.data
  const isSignedIn = person !== undefined
  useEffect(() => {
    if (isSignedIn) prepareOffline()
  }, [isSignedIn])
  useEffect(() => void (person && followLanguageOf(person)), [person])
  if (!me.data && !me.error) return <EmptyShell />
  return (
    <Loaded query={me}>
      {(user) => (
        <MeContext.Provider value={user}>
          <Shell>
            <ErrorBoundary>
              <Views />
            </ErrorBoundary>
          </Shell>
          <DialogHost />
        </MeContext.Provider>
      )}
    </Loaded>
  )
}

/** Re-mounts when the language changes, so that every text is translated again. */
export const App = () => (
  <LocationProvider scope="/console">
    <QueryClientProvider client={queryClient}>
      <SignedIn key={useLanguage()} />
    </QueryClientProvider>
  </LocationProvider>
)
