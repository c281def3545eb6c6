import { QueryClientProvider } from "@tanstack/preact-query"
import { useEffect } from "preact/hooks"
import { ErrorBoundary, LocationProvider, Route, Router } from "preact-iso"
import { hasAccess, MeContext, useMe } from "./api/me.tsx"
import { queryClient, useRead } from "./api/queries.ts"
import { followLanguageOf, t, useLanguage } from "./messages/messages.ts"
import { Shell } from "./shell.tsx"
import { DialogHost } from "./ui/dialog-host.tsx"
import { Loaded } from "./ui/error-message.tsx"
import { Page } from "./ui/page.tsx"
import { views } from "./views.ts"

const NotFound = () => (
  <Page title={t("not-found.title")}>
    <p>{t("not-found.text")}</p>
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
      {views.map(({ path, access, component }) => (
        <Route
          key={path}
          path={`/console${path === "/" ? "" : path}`}
          component={hasAccess(me, access) ? component : NotFound}
        />
      ))}
      <Route default component={NotFound} />
    </Router>
  )
}

function SignedIn() {
  const me = useRead("/api/me", {}, { refetchOnFocus: true })
  const person = me.data
  useEffect(() => void (person && followLanguageOf(person)), [person])
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
