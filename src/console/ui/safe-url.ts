import { isApiUrl } from "../../lib/text/urls.ts"

/** A user-supplied URL that the page may load, such as an image; undefined if it would call the API with the cookie. */
export const safeUrl = (url: string): string | undefined => (isApiUrl(url, [location.href]) ? undefined : url)

/** The content security policy blocks most other origins. */
export const isSameOrigin = (url: string): boolean =>
  URL.canParse(url, location.origin) && new URL(url, location.origin).origin === location.origin
