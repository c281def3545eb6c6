import { callsApi } from "../../lib/text/urls.ts"

/**
 * A URL that somebody wrote, to be loaded by the page itself, such as a picture's. undefined: it would call the API
 * with the reader's cookie.
 */
export const loadable = (url: string): string | undefined => (callsApi(url, [location.href]) ? undefined : url)

/** Is it of this site? The page's policy loads nothing from another. */
export const isOwn = (url: string): boolean =>
  URL.canParse(url, location.origin) && new URL(url, location.origin).origin === location.origin
