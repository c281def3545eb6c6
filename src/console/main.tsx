import { render } from "preact"
import { App } from "./app.tsx"
import { startMessages } from "./messages/messages.ts"
import { guardHistory } from "./ui/unsaved-changes.ts"
import "./styles/base.css"
import "./styles/controls.css"
import "./styles/lists.css"
import "./styles/print.css"

guardHistory()
await startMessages()
const root = document.getElementById("console")
if (root) render(<App />, root)
