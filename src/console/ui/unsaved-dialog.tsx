import { useEffect } from "preact/hooks"
import { useLocation } from "preact-iso"
import { useStore } from "../api/store.ts"
import { t } from "../messages/messages.ts"
import { Confirm } from "./dialog.tsx"
import { moved } from "./page.tsx"
import { changedWithin, isAt, leave, pending } from "./unsaved-changes.ts"

/** Asks before the page, or a part of it, is left with unsaved changes. The shell has it once for all views. */
export function UnsavedChanges() {
  const { url, route } = useLocation()
  const asked = useStore(pending)
  useEffect(() => isAt(url), [url])
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (changedWithin().length > 0) event.preventDefault()
    }
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null
      if (!link?.href || link.origin !== location.origin || !/^\/console(\/|$)/.test(link.pathname)) return
      if (link.target || link.download || link.getAttribute("href")?.startsWith("#") || event.button !== 0) return
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
      const to = link.pathname + link.search
      if (to === url || changedWithin().length === 0) return
      event.preventDefault()
      event.stopImmediatePropagation()
      leave(() => {
        moved.set(true)
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
  if (!asked) return null
  const discard = async () => {
    for (const guard of asked.lost) guard.forget()
    asked.act()
  }
  return (
    <Confirm
      title={t("unsaved.title")}
      confirm={t("unsaved.discard")}
      onConfirm={discard}
      onClose={() => pending.set(undefined)}
    >
      <p>{t("unsaved.text")}</p>
    </Confirm>
  )
}
