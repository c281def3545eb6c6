import { QueryClientProvider } from "@tanstack/preact-query"
import { ErrorBoundary, LocationProvider, Route, Router } from "preact-iso"
import { MeContext, may, useMe } from "./api/me.tsx"
import { queryClient, useRead } from "./api/queries.ts"
import { t, useLanguage } from "./messages/messages.ts"
import { Shell } from "./shell.tsx"
import { Loaded } from "./ui/error-message.tsx"
import { Page } from "./ui/page.tsx"
import { views } from "./views.ts"

const NotFound = () => (
  <Page title={t("not-found.title")}>
    <p>{t("not-found.text")}</p>
  </Page>
)

/**
 * The views that the caller's role may open. Of another, `/users/new`, there is no more than of an address without any:
 * it is not `/users/:id` either.
 */
function Views() {
  const me = useMe()
  return (
    <Router>
      {views.map(({ path, access, component }) => (
        <Route
          key={path}
          path={`/console${path === "/" ? "" : path}`}
          component={may(me, access) ? component : NotFound}
        />
      ))}
      <Route default component={NotFound} />
    </Router>
  )
}

function SignedIn() {
  const me = useRead("/api/me")
  return (
    <Loaded of={me}>
      {(who) => (
        <MeContext.Provider value={who}>
          <Shell>
            <ErrorBoundary>
              <Views />
            </ErrorBoundary>
          </Shell>
        </MeContext.Provider>
      )}
    </Loaded>
  )
}

/** The console, from who is signed in down to the view that the address names. */
export const App = () => (
  <LocationProvider scope="/console">
    <QueryClientProvider client={queryClient}>
      <SignedIn key={useLanguage()} />
    </QueryClientProvider>
  </LocationProvider>
)
