import { render } from "preact"
import { queryClient, toQueryOptions } from "./api/queries.ts"
import { App } from "./app.tsx"
import { initMessages } from "./messages/messages.ts"
import { guardBrowserHistory } from "./ui/unsaved-changes.ts"
import { prefetchView, preloadView } from "./views.ts"
import "./styles/tokens.css"
import "./styles/base.css"
import "./styles/controls.css"
import "./styles/lists.css"
import "./styles/print.css"

guardBrowserHistory()
const messages = initMessages()
// What the first view needs loads at once, instead of one after another.
preloadView(location)
queryClient.fetchQuery(toQueryOptions("/api/me", {})).then(
  (me) => prefetchView(me, location),
  () => undefined,
)
await messages
const root = document.getElementById("console")
// The header of the page itself stays until the first render.
root?.replaceChildren()
if (root) render(<App />, root)
