import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { useLocation } from "preact-iso"
import { may, useMe } from "./api/me.tsx"
import { LANGUAGES, type Language, speak, t, timeZone, useLanguage } from "./messages/messages.ts"
import { Announcer } from "./ui/announcer.tsx"
import { ConnectionBar } from "./ui/connection-bar.tsx"
import { moved } from "./ui/page.tsx"
import { leave } from "./ui/unsaved-changes.ts"
import { UnsavedChanges } from "./ui/unsaved-dialog.tsx"
import { GROUPS } from "./views/view.ts"
import { views } from "./views.ts"

/** Where a group's views lead: the first of them stays marked while one of its pages is open. */
const isWithin = (path: string, at: string) => path === `/console${at}` || path.startsWith(`/console${at}/`)

/** The views that a role may open, group by group. */
function Navigation({ path }: { path: string }) {
  const me = useMe()
  return (
    <nav class="navigation" id="navigation" aria-label={t("nav.label")}>
      <a href="/console" aria-current={path === "/console" || path === "/console/" ? "page" : undefined}>
        {t("nav.home")}
      </a>
      {GROUPS.map((group) => {
        const within = views.filter(({ nav, access }) => nav?.group === group && may(me, access))
        if (within.length === 0) return null
        return (
          <section key={group} aria-labelledby={`nav-${group}`}>
            <h2 id={`nav-${group}`}>{t(`nav.group.${group}`)}</h2>
            <ul>
              {within.map(({ path: at, nav }) => (
                <li key={at}>
                  <a href={`/console${at}`} aria-current={isWithin(path, at) ? "page" : undefined}>
                    {t(nav?.label ?? "")}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </nav>
  )
}

/** What surrounds every view: who is signed in, where one can go, the language, and the way out. */
export function Shell({ children }: { children: ComponentChildren }) {
  const me = useMe()
  const { path, url } = useLocation()
  const language = useLanguage()
  const [open, setOpen] = useState(false)
  useEffect(() => setOpen(false), [url])
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      if (!(event.target instanceof Element && event.target.closest("a"))) return
      moved.set(true)
      // A link to where one is changes no address.
      setOpen(false)
    }
    addEventListener("click", follow)
    return () => removeEventListener("click", follow)
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
          onClick={() => setOpen((was) => !was)}
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
              const chosen = currentTarget.value as Language
              // The page is made again in the other language: until that is settled it stays with this one.
              currentTarget.value = language
              leave(() => speak(chosen))
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
      <UnsavedChanges />
    </div>
  )
}
