import { useEffect, useState } from "preact/hooks"
import { t } from "../messages/messages.ts"
import { useGo } from "./address.ts"
import { Confirm } from "./dialog.tsx"

const BASE = "/console"

interface UnsavedProps {
  isChanged: boolean
  /** The changes are to be forgotten. */
  onLeave: () => void
}

/** Asks before a page with changes that are not saved is left. */
export function Unsaved({ isChanged, onLeave }: UnsavedProps) {
  const go = useGo()
  const [to, setTo] = useState<string>()
  useEffect(() => {
    if (!isChanged) return
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    const ask = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null
      if (!link?.pathname.startsWith(BASE) || link.origin !== location.origin || link.target || link.download) return
      if (link.hash || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      event.stopImmediatePropagation()
      setTo(link.pathname.slice(BASE.length) + link.search)
    }
    addEventListener("beforeunload", stay)
    addEventListener("click", ask, { capture: true })
    return () => {
      removeEventListener("beforeunload", stay)
      removeEventListener("click", ask, { capture: true })
    }
  }, [isChanged])
  if (to === undefined) return null
  const leave = async () => {
    onLeave()
    go(to)
  }
  return (
    <Confirm title={t("unsaved.title")} confirm={t("unsaved.leave")} onConfirm={leave} onClose={() => setTo(undefined)}>
      <p>{t("unsaved.text")}</p>
    </Confirm>
  )
}
