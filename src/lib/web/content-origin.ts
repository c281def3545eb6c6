import type { Bindings } from "../../env.ts"

// Pages that people upload, such as those of SCORM packages, run on an origin of their own: whatever their scripts do,
// the browser keeps them from this service's pages, its storage and the answers to its cookie.

type Placed = Pick<Bindings, "CONTENT_ORIGIN" | "BASE_URL" | "ENVIRONMENT">

const originOf = (url: string | undefined): string | undefined =>
  url && URL.canParse(url) && /^https?:/.test(url) ? new URL(url).origin : undefined

let parsed: { from: string; origin: string | undefined } = { from: "", origin: undefined }

/** The origin that CONTENT_ORIGIN names, read once; undefined where it names none, or that of the service itself. */
function namedOrigin({ CONTENT_ORIGIN, BASE_URL }: Placed): string | undefined {
  const from = `${CONTENT_ORIGIN ?? ""} ${BASE_URL ?? ""}`
  if (parsed.from !== from) {
    const origin = originOf(CONTENT_ORIGIN)
    parsed = { from, origin: origin === originOf(BASE_URL) ? undefined : origin }
  }
  return parsed.origin
}

/** A developer's machine has two names, which are two origins to a browser. */
const OTHER_NAME = new Map([
  ["localhost", "127.0.0.1"],
  ["127.0.0.1", "localhost"],
])

/**
 * Where content of people runs that is shown on a page at `url`: on another origin than that page.
 * @returns undefined where the deployment has none (CONTENT_ORIGIN), and so runs no such content
 */
export function contentOrigin(env: Placed, url: string): string | undefined {
  const page = new URL(url)
  const named = namedOrigin(env)
  if (named !== undefined) return named === page.origin ? undefined : named
  const other = env.ENVIRONMENT === "development" ? OTHER_NAME.get(page.hostname) : undefined
  return other && `${page.protocol}//${other}${page.port && `:${page.port}`}`
}

/** Is a request for the origin that serves content of people, and nothing else? */
export function isForContent(env: Placed, url: string): boolean {
  const named = namedOrigin(env)
  return named !== undefined && url.startsWith(`${named}/`)
}
