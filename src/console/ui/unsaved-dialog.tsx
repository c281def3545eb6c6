import { useEffect } from "preact/hooks"
import { useLocation } from "preact-iso"
import { useStore } from "../api/store.ts"
import { unsavedGuards } from "../api/unsaved-guards.ts"
import { t } from "../messages/messages.ts"
import { ConfirmDialog } from "./dialog.tsx"
import { navigated } from "./page.tsx"
import { confirmLeave, pendingLeave, setCurrentUrl } from "./unsaved-changes.ts"

/** Asks before unsaved changes are lost. Rendered once, in the shell. */
export function UnsavedChangesDialog() {
  const { url, route } = useLocation()
  const leaving = useStore(pendingLeave)
  useEffect(() => setCurrentUrl(url), [url])
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (unsavedGuards().length > 0) event.preventDefault()
    }
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null
      if (!link?.href || link.origin !== location.origin || !/^\/console(\/|$)/.test(link.pathname)) return
      if (link.target || link.download || link.getAttribute("href")?.startsWith("#") || event.button !== 0) return
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      const to = link.pathname + link.search
      if (to === url || unsavedGuards().length === 0) return
      event.preventDefault()
      event.stopImmediatePropagation()
      confirmLeave(() => {
        navigated.set(true)
        route(to)
      })
    }
    addEventListener("beforeunload", onUnload)
    addEventListener("click", onClick, { capture: true })
    return () => {
      removeEventListener("beforeunload", onUnload)
      removeEventListener("click", onClick, { capture: true })
    }
  }, [url, route])
  if (!leaving) return null
  const discard = async () => {
    for (const guard of leaving.guards) guard.discard()
    leaving.action()
  }
  return (
    <ConfirmDialog
      title={t("unsaved.title")}
      confirm={t("unsaved.discard")}
      onConfirm={discard}
      onClose={() => pendingLeave.set(undefined)}
    >
      <p>{t("unsaved.text")}</p>
    </ConfirmDialog>
  )
}
