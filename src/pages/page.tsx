import type { Context } from "hono"
import { accepts } from "hono/accepts"
import { raw } from "hono/html"
import { type Child, createContext, useContext } from "hono/jsx"
import type { ContentfulStatusCode } from "hono/utils/http-status"
import { selectSettings } from "../db/settings.ts"
import { hasRole } from "../lib/caller.ts"
import { randomCode } from "../lib/crypto/crypto.ts"
import { LANGUAGES, primaryLanguage, supportedLanguage } from "../lib/text/languages.ts"
import { ENGLISH_WORDS, loadWords, type Words } from "../lib/texts/texts.ts"
import { appUrl, CONSOLE, LEARNING, REFERENCE, signInUrl } from "../lib/web/academy.ts"
import { baseUrl } from "../lib/web/answers.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { type AcademyBranding, type Brand, brandOf, buttonColors } from "../lib/web/brand.ts"
import { loadProblemTexts, type ProblemTexts } from "./problem-texts.ts"

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** The API reference sets styles in a script and reads the OpenAPI document. */
export const REFERENCE_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").concat(
  "; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:",
)

const PLAYERS = "https://www.youtube-nocookie.com https://player.vimeo.com"

/**
 * The console calls the API and shows images from it or about to be uploaded. Staff may use course images from other
 * sites; other users' HTML shows no images (`rich-text.tsx`).
 * It frames PDF files of this site, and the players of YouTube and Vimeo (src/console/ui/media/embed-url.ts).
 * @param content the content origin, whose packages it frames; undefined: none
 */
export const consolePolicy = (content = "") =>
  POLICY.replace("img-src 'self' data:", "img-src 'self' data: blob: https:").concat(
    "; connect-src 'self'; font-src 'self'; manifest-src 'self'; media-src 'self' blob:; worker-src 'self'",
    `; frame-src ${`'self' ${PLAYERS} ${content}`.trim()}`,
  )

const NONCE_LENGTH = 22

interface Frame {
  /** The name of the academy, or of the portal whose sign-in page it is. */
  site: string
  /** Its logo; null: none. */
  logoUrl: string | null
  /** The style with its color, and the nonce that allows it; undefined: the default color. */
  style: { nonce: string; text: string } | undefined
  /** The start page of the visitor. */
  start: string
  /** The sign-in page for learners. */
  signIn: string
  /** Whether people can sign up. */
  signUp: boolean
  /** Whether the visitor is signed in with a cookie. */
  signedIn: boolean
  /** Whether the visitor is staff. */
  isStaff: boolean
  /** The texts of the visitor's language. */
  words: Words
  /** The texts of errors in it. */
  problems: ProblemTexts
}

const FrameContext = createContext<Frame>({
  site: "",
  logoUrl: null,
  style: undefined,
  start: "/",
  signIn: "/login",
  signUp: false,
  signedIn: false,
  isStaff: false,
  words: ENGLISH_WORDS,
  problems: {},
})

/** The academy and visitor of the current page. */
export const useFrame = (): Frame => useContext(FrameContext)

/** The texts of the page's language. */
export const useWords = (): Words => useFrame().words

/** Links for signed-in users. It works without JavaScript. */
export const Account = () => {
  const { signedIn, isStaff, words } = useFrame()
  const { t } = words
  if (!signedIn) return null
  return (
    <nav class="account" aria-label={t("nav.account")}>
      <a href={LEARNING}>{t("nav.learning")}</a>
      <a href={CONSOLE}>{t("nav.console")}</a>
      {isStaff && <a href={REFERENCE}>{t("nav.reference")}</a>}
      <form method="post" action="/logout">
        <button type="submit">{t("nav.sign-out")}</button>
      </form>
    </nav>
  )
}

const LOGO = "/assets/logo.svg"

/** The logo and the name of the site. @param site the portal of a page's person: it has no logo here */
const SiteLink = ({ site }: { site: string | null | undefined }) => {
  const frame = useFrame()
  const isPortal = Boolean(site) && site !== frame.site
  return (
    <a class="brand" href={frame.start}>
      {!isPortal && <img src={frame.logoUrl ?? LOGO} alt="" height="32" />}
      <span dir="auto">{site || frame.site}</span>
    </a>
  )
}

/** The color of buttons. */
const BrandStyle = () => {
  const { style } = useFrame()
  return style && <style nonce={style.nonce}>{raw(style.text)}</style>
}

/** @param site the name of the person's portal, shown instead of the academy's */
export const Layout = ({
  title,
  site,
  refresh,
  children,
}: {
  title: string
  site?: string | null
  /** Where the page leads by itself. */
  refresh?: string
  children: Child
}) => (
  <html lang={useWords().language} dir={useWords().direction}>
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{`${title} · ${site || useFrame().site}`}</title>
      {refresh && <meta http-equiv="refresh" content={`0; url=${refresh}`} />}
      <link rel="icon" href={useFrame().logoUrl ?? LOGO} />
      <link rel="stylesheet" href="/assets/pages.css" />
      <BrandStyle />
    </head>
    <body>
      <header class="top">
        <SiteLink site={site} />
        <Account />
      </header>
      {children}
      <footer class="foot">
        <p dir="auto">{site || useFrame().site}</p>
      </footer>
    </body>
  </html>
)

/** Whether the visitor is not signed in, or their session was ended. */
export async function isSignedOut(c: Context<AppEnv>): Promise<boolean> {
  return c.var.caller.id === null || ((await c.var.admission)?.revoked ?? false)
}

/** Redirects to the sign-in page and from there back to this page. */
export const redirectToSignIn = (c: Context<AppEnv>) => {
  const { pathname, search } = new URL(c.req.url)
  return c.redirect(`/login?next=${encodeURIComponent(pathname + search)}`, 302)
}

/** The policy also applies to a form's redirect: sign-in may redirect to the academy's application. */
function allowFormsTo(policy: string, application: string | undefined) {
  if (application === undefined || !URL.canParse(application)) return policy
  return policy.replace("form-action 'self'", `form-action 'self' ${new URL(application).origin}`)
}

/** The academy's settings. An error page must be shown without the database, too. */
export async function readAcademy(
  c: Context<AppEnv>,
): Promise<(AcademyBranding & { language: string | null }) | undefined> {
  try {
    const [[academy]] = await c.var.db.batch([selectSettings(c.var.db)])
    return academy
  } catch {
    return undefined
  }
}

/** Allows the logo and the style of a brand. */
function allowBrand(policy: string, { logoUrl, style }: Pick<Frame, "logoUrl" | "style">) {
  const withLogo = logoUrl ? policy.replace("img-src 'self'", `img-src 'self' ${new URL(logoUrl).origin}`) : policy
  return style ? withLogo.replace("style-src 'self'", `style-src 'self' 'nonce-${style.nonce}'`) : withLogo
}

function styleOf(brand: Brand): Frame["style"] {
  if (!brand.primaryColor) return undefined
  const { background, text } = buttonColors(brand)
  return { nonce: randomCode(NONCE_LENGTH), text: `:root{--button:${background};--on-button:${text}}` }
}

interface PageOptions {
  policy?: string
  /** The settings, if the page has read them; null: nothing is set. Otherwise this takes a round trip. */
  academy?: (AcademyBranding & { language?: string | null }) | null | undefined
  /** The portal whose brand the page has. */
  portal?: AcademyBranding | null | undefined
  /** The language that the visitor has set. */
  language?: string | null | undefined
}

/** The visitor's own language, else the first accepted one that has texts, else the academy's. */
function pageLanguage(c: Context<AppEnv>, own: string | null | undefined, academy: string | null | undefined) {
  const accepted = accepts(c, {
    header: "Accept-Language",
    supports: [...LANGUAGES],
    default: "",
    match: (tags) =>
      tags
        .filter(({ q }) => q > 0)
        .sort((one, other) => other.q - one.q)
        .map(({ type }) => primaryLanguage(type))
        .find((tag) => supportedLanguage(tag)) ?? "",
  })
  return [own, accepted, academy].find((tag) => supportedLanguage(tag)) ?? "en"
}

/** Responds with a page that loads nothing from other origins but the academy's logo, and runs no inline script. */
export async function renderPage(
  c: Context<AppEnv>,
  content: Child,
  status: ContentfulStatusCode = 200,
  { policy = POLICY, academy, portal, language }: PageOptions = {},
) {
  const { env } = c
  const settings = academy === undefined ? await readAcademy(c) : academy
  const brand = brandOf(env, baseUrl(c), settings, portal)
  const words = await loadWords(pageLanguage(c, language, settings?.language))
  const logoUrl = brand.logoUrl && URL.canParse(brand.logoUrl) ? brand.logoUrl : null
  const frame: Frame = {
    site: brand.name,
    logoUrl,
    style: styleOf(brand),
    start: appUrl(env) ?? "/",
    signIn: signInUrl(env, ""),
    signUp: env.SIGN_UP === "open",
    signedIn: c.var.caller.via === "cookie",
    isStaff: hasRole(c.var.caller, "staff"),
    words,
    problems: await loadProblemTexts(words.language),
  }
  c.header("content-language", words.language)
  c.header("content-security-policy", allowFormsTo(allowBrand(policy, frame), appUrl(env)))
  c.header("cache-control", "no-store")
  return c.html(`<!doctype html>${<FrameContext.Provider value={frame}>{content}</FrameContext.Provider>}`, status)
}
