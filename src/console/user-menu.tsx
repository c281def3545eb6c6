import { ChevronDown, LogOut } from "lucide-preact"
import type { JSX } from "preact"
import { useEffect, useRef } from "preact/hooks"
import type { Language } from "../lib/text/languages.ts"
import { useMe } from "./api/me.tsx"
import { LANGUAGE_NAMES, setLanguage, t, useLanguage } from "./messages/messages.ts"
import { confirmLeave } from "./ui/unsaved-changes.ts"

const MAX_INITIALS = 2

/** The first letters of the first and the last name. */
const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .filter((_, index, words) => index === 0 || index === words.length - 1)
    .map((word) => [...word][0] ?? "")
    .slice(0, MAX_INITIALS)
    .join("")
    .toUpperCase()

const MAX_SEND_MS = 3000

/** Sends the progress that waits, deletes what the device stored for the user, and signs out. */
async function signOut(form: HTMLFormElement) {
  try {
    const [{ sendWaiting }, { clearDevice }] = await Promise.all([
      import("./api/offline/progress-queue.ts"),
      import("./api/offline/stored-responses.ts"),
    ])
    const timeout = new Promise((resolve) => setTimeout(resolve, MAX_SEND_MS))
    await Promise.race([sendWaiting().catch(() => undefined), timeout])
    await clearDevice()
  } finally {
    form.submit()
  }
}

/** Asks first: the drafts of unsaved changes are deleted, too. */
function confirmSignOut(event: JSX.TargetedSubmitEvent<HTMLFormElement>) {
  event.preventDefault()
  const form = event.currentTarget
  confirmLeave(() => void signOut(form))
}

/** The account of the user: its pages, the language, and signing out. */
export function UserMenu({ url }: { url: string }) {
  const me = useMe()
  const language = useLanguage()
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => menu.current?.hidePopover(), [url])
  return (
    <div class="account">
      <button type="button" class="user" popovertarget="user-menu">
        <span class="avatar" aria-hidden="true">
          {initialsOf(me.name)}
        </span>
        <span class="user-name" dir="auto">
          {me.name}
        </span>
        <span class="unseen">{t("nav.user-menu")}</span>
        <ChevronDown size={16} aria-hidden />
      </button>
      <div class="popup" id="user-menu" popover="auto" ref={menu}>
        <p class="quiet" dir="auto">
          {me.name}
        </p>
        <a href="/console/account">{t("nav.account")}</a>
        <a href="/console/sessions">{t("nav.sessions")}</a>
        <label class="field">
          {t("language")}
          <select
            value={language}
            onChange={({ currentTarget }) => {
              const selected = currentTarget.value as Language
              // The select keeps the current language until unsaved changes are discarded.
              currentTarget.value = language
              confirmLeave(() => setLanguage(selected))
            }}
          >
            {Object.entries(LANGUAGE_NAMES).map(([tag, name]) => (
              <option key={tag} value={tag} lang={tag}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <form method="post" action="/logout" onSubmit={confirmSignOut}>
          <button type="submit">
            <LogOut size={16} aria-hidden /> {t("sign-out")}
          </button>
        </form>
      </div>
    </div>
  )
}
