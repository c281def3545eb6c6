import { Menu } from "lucide-preact"
import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { useMe } from "./api/me.tsx"
import { t, timeZone } from "./messages/messages.ts"
import { Navigation, SectionTabs } from "./navigation.tsx"
import { NotificationsBell } from "./notifications-bell.tsx"
import { SearchButton } from "./search/search-button.tsx"
import { Announcer } from "./ui/announcer.tsx"
import { ConnectionBar } from "./ui/connection-bar.tsx"
import { navigated } from "./ui/page.tsx"
import { UnsavedChangesDialog } from "./ui/unsaved-dialog.tsx"
import { UserMenu } from "./user-menu.tsx"
import { prefetchView, preloadView } from "./views.ts"

const LOGO = "/assets/logo.svg"

/** The layout around every view: header, navigation, footer and the dialogs that all views share. */
export function Shell({ children }: { children: ComponentChildren }) {
  const me = useMe()
  const { path, url } = useLocation()
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [url])
  useEffect(() => {
    document.querySelector('link[rel="icon"]')?.setAttribute("href", me.academyLogoUrl ?? LOGO)
  }, [me.academyLogoUrl])
  useEffect(() => {
    const linkOf = ({ target }: Event) => (target instanceof Element ? target.closest("a") : null)
    const onPoint = (event: Event) => {
      const link = linkOf(event)
      if (link?.origin === location.origin) preloadView(link)
    }
    const onClick = (event: MouseEvent) => {
      const link = linkOf(event)
      if (!link) return
      navigated.set(true)
      if (link.origin === location.origin) prefetchView(me, link)
      // A link to the current page does not change the URL.
      setOpen(false)
    }
    addEventListener("click", onClick)
    addEventListener("pointerover", onPoint)
    addEventListener("focusin", onPoint)
    return () => {
      removeEventListener("click", onClick)
      removeEventListener("pointerover", onPoint)
      removeEventListener("focusin", onPoint)
    }
  }, [me])
  return (
    <div class={open ? "shell open" : "shell"}>
      <a class="skip" href="#main">
        {t("skip")}
      </a>
      <header class="top">
        <button
          type="button"
          class="menu"
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpen((isOpen) => !isOpen)}
        >
          <Menu size={20} aria-hidden />
          <span class="unseen">{t("nav.menu")}</span>
        </button>
        <a class="brand" href="/console">
          <img src={me.academyLogoUrl ?? LOGO} alt="" width={me.academyLogoUrl ? undefined : 28} height="28" />
          <span dir="auto">{me.academy}</span>
        </a>
        <SearchButton />
        <NotificationsBell url={url} />
        <UserMenu url={url} />
      </header>
      <ConnectionBar />
      <Navigation path={path} />
      <main id="main" tabIndex={-1}>
        <SectionTabs path={path} />
        {children}
      </main>
      <footer class="foot">
        <p>{t("time-zone", { zone: timeZone })}</p>
      </footer>
      <Announcer />
      <UnsavedChangesDialog />
    </div>
  )
}
