// URLs of this service among others: kept as paths, so that they hold under another address, and answered in full.

/** A path of this service as clients reach it; any other URL as it is. @param base without a slash at the end */
export const absoluteUrl = (base: string, url: string): string => (url.startsWith("/") ? `${base}${url}` : url)

/** What is kept of a URL: of one of this service the path. */
export const storedUrl = (base: string, url: string): string =>
  url.startsWith(`${base}/`) ? url.slice(base.length) : url

/**
 * What the audit log and the feed show of a URL whose path or query may be its secret: where it leads. The origin of
 * `https://hooks.example.com/T1/secret` is `https://hooks.example.com`.
 */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? ""

/** Operations that answer a file and change nothing: a page may load a picture or a film from them by itself. */
const FILES = [
  /^\/api\/certificate_template\/background\/[\w-]+\.\w+$/,
  /^\/api\/class\/study-material\/\d+\/(view|download)$/,
  /^\/api\/module\/assignment\/upload\/\d+$/,
]

/** A path as the router reads it: its letters may be written as `%61`. */
const decodedPath = (path: string) =>
  path.replace(/%[2-7][\da-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))

/**
 * Would a page that loads this URL by itself, as it does a picture's, call an operation of the API, files aside?
 * @param own URLs of this service, the page's own first: from there a relative URL counts
 */
export function callsApi(url: string, own: readonly string[]): boolean {
  if (!URL.canParse(url, own[0])) return false
  const { hostname, pathname } = new URL(url, own[0])
  // Whatever the scheme and port: a browser may turn http into https.
  if (!own.some((one) => URL.canParse(one) && new URL(one).hostname === hostname)) return false
  const path = decodedPath(pathname)
  return /^\/+api(\/|$)/i.test(path) && !FILES.some((file) => file.test(path))
}
