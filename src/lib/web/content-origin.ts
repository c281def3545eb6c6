import type { Bindings } from "../../env.ts"

// Uploaded pages, such as SCORM packages, run on a separate origin, so that the browser isolates their scripts from
// this service's pages, storage and cookies.

type OriginBindings = Pick<Bindings, "CONTENT_ORIGIN" | "BASE_URL" | "ENVIRONMENT">

const originOf = (url: string | undefined): string | undefined =>
  url && URL.canParse(url) && /^https?:/.test(url) ? new URL(url).origin : undefined

let parsed: { from: string; origin: string | undefined } = { from: "", origin: undefined }

/** The origin in CONTENT_ORIGIN, parsed once; undefined if it is unset or the service's own. */
function configuredOrigin({ CONTENT_ORIGIN, BASE_URL }: OriginBindings): string | undefined {
  const from = `${CONTENT_ORIGIN ?? ""} ${BASE_URL ?? ""}`
  if (parsed.from !== from) {
    const origin = originOf(CONTENT_ORIGIN)
    parsed = { from, origin: origin === originOf(BASE_URL) ? undefined : origin }
  }
  return parsed.origin
}

/** In development, two host names of the same machine are two origins. */
const OTHER_HOST = new Map([
  ["localhost", "127.0.0.1"],
  ["127.0.0.1", "localhost"],
])

/**
 * The origin for uploaded content on a page at `url`, different from the page's own.
 * @returns undefined if the deployment has none (CONTENT_ORIGIN) and so runs no uploaded content
 */
export function contentOrigin(env: OriginBindings, url: string): string | undefined {
  const page = new URL(url)
  const configured = configuredOrigin(env)
  if (configured !== undefined) return configured === page.origin ? undefined : configured
  const other = env.ENVIRONMENT === "development" ? OTHER_HOST.get(page.hostname) : undefined
  return other && `${page.protocol}//${other}${page.port && `:${page.port}`}`
}

/** Whether a request is for the content origin. */
export function isContentRequest(env: OriginBindings, url: string): boolean {
  const configured = configuredOrigin(env)
  return configured !== undefined && url.startsWith(`${configured}/`)
}
