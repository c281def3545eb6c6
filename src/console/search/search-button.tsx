import { Search } from "lucide-preact"
import { useEffect, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"

type SearchDialog = typeof import("./search-dialog.tsx").default

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Opens the search of the console, also with Ctrl K or ⌘ K. */
export function SearchButton() {
  const [Dialog, setDialog] = useState<SearchDialog>()
  const open = () => import("./search-dialog.tsx").then(({ default: loaded }) => setDialog(() => loaded))
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(isApple ? event.metaKey : event.ctrlKey) || event.shiftKey) return
      if (document.querySelector("dialog[open]")) return
      event.preventDefault()
      open()
    }
    addEventListener("keydown", onKeyDown)
    return () => removeEventListener("keydown", onKeyDown)
  }, [])
  return (
    <>
      <button type="button" class="search-button" onClick={open} aria-keyshortcuts="Control+K Meta+K">
        <Search size={18} aria-hidden />
        <span class="search-label">{t("search")}</span>
        <span class="keys" aria-hidden="true">
          {isApple ? "⌘K" : "Ctrl K"}
        </span>
      </button>
      {Dialog && <Dialog onClose={() => setDialog(undefined)} />}
    </>
  )
}
