import { render } from "preact"
import { App } from "./app.tsx"
import { startMessages } from "./messages/messages.ts"
import "./styles/base.css"
import "./styles/controls.css"
import "./styles/lists.css"

await startMessages()
const root = document.getElementById("console")
if (root) render(<App />, root)
