import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { hasAccess, useMe } from "./api/me.tsx"
import { LANGUAGES, type Language, setLanguage, t, timeZone, useLanguage } from "./messages/messages.ts"
import { Announcer } from "./ui/announcer.tsx"
import { ConnectionBar } from "./ui/connection-bar.tsx"
import { navigated } from "./ui/page.tsx"
import { confirmLeave } from "./ui/unsaved-changes.ts"
import { UnsavedChangesDialog } from "./ui/unsaved-dialog.tsx"
import { GROUPS } from "./views/view.ts"
import { views } from "./views.ts"

/** Whether the current page is a view, or a page below it. */
const isWithin = (path: string, viewPath: string) =>
  path === `/console${viewPath}` || path.startsWith(`/console${viewPath}/`)

function Navigation({ path }: { path: string }) {
  const me = useMe()
  return (
    <nav class="navigation" id="navigation" aria-label={t("nav.label")}>
      <a href="/console" aria-current={path === "/console" || path === "/console/" ? "page" : undefined}>
        {t("nav.home")}
      </a>
      {GROUPS.map((group) => {
        const items = views.filter(({ nav, access }) => nav?.group === group && hasAccess(me, access))
        if (items.length === 0) return null
        return (
          <div key={group}>
            <h2>{t(`nav.group.${group}`)}</h2>
            <ul>
              {items.map(({ path: viewPath, nav }) => (
                <li key={viewPath}>
                  <a href={`/console${viewPath}`} aria-current={isWithin(path, viewPath) ? "page" : undefined}>
                    {t(nav?.label ?? "")}
                  </a>
                </li>
              ))}
            </ul>
          </div>
        )
      })}
    </nav>
  )
}

/** The layout around every view: header, navigation, footer and the dialogs that all views share. */
export function Shell({ children }: { children: ComponentChildren }) {
  const me = useMe()
  const { path, url } = useLocation()
  const language = useLanguage()
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [url])
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      if (!(event.target instanceof Element && event.target.closest("a"))) return
      navigated.set(true)
      // A link to the current page does not change the URL.
      setOpen(false)
    }
    addEventListener("click", onClick)
    return () => removeEventListener("click", onClick)
  }, [])
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
          {t("nav.menu")}
        </button>
        <a class="brand" href="/console">
          <img src="/assets/logo.svg" alt="" width="28" height="28" />
          <span dir="auto">{me.academy}</span>
        </a>
        <div class="account">
          <select
            aria-label={t("language")}
            value={language}
            onChange={({ currentTarget }) => {
              const selected = currentTarget.value as Language
              // The select keeps the current language until unsaved changes are discarded.
              currentTarget.value = language
              confirmLeave(() => setLanguage(selected))
            }}
          >
            {Object.entries(LANGUAGES).map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
          <a class="who" href="/console/account" aria-current={isWithin(path, "/account") ? "page" : undefined}>
            {me.name}
          </a>
          <form method="post" action="/logout">
            <button type="submit">{t("sign-out")}</button>
          </form>
        </div>
      </header>
      <ConnectionBar />
      <Navigation path={path} />
      <main id="main" tabIndex={-1}>
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
