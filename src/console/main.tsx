import { render } from "preact"
import { App } from "./app.tsx"
import { initMessages } from "./messages/messages.ts"
import { guardBrowserHistory } from "./ui/unsaved-changes.ts"
import "./styles/tokens.css"
import "./styles/base.css"
import "./styles/controls.css"
import "./styles/lists.css"
import "./styles/print.css"

guardBrowserHistory()
await initMessages()
const root = document.getElementById("console")
if (root) render(<App />, root)
