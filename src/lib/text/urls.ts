// URLs of this service are stored as paths, so that they stay valid if its address changes, and returned in full.

/** The full URL of a path of this service; other URLs unchanged. @param base without a trailing slash */
export const absoluteUrl = (base: string, url: string): string => (url.startsWith("/") ? `${base}${url}` : url)

/** The URL to store: for this service only the path. */
export const storedUrl = (base: string, url: string): string =>
  url.startsWith(`${base}/`) ? url.slice(base.length) : url

/**
 * The origin of a URL whose path or query may be secret, for the audit log and events:
 * `https://hooks.example.com/T1/secret` → `https://hooks.example.com`.
 */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? ""

/** Operations that only return a file: pages may embed images or videos from them. */
const FILES = [
  /^\/api\/certificate_template\/background\/[\w-]+\.\w+$/,
  /^\/api\/class\/study-material\/\d+\/(view|download)$/,
  /^\/api\/module\/assignment\/upload\/\d+$/,
  /^\/api\/media\/\d+\/file$/,
]

/** A path with percent-encoded letters decoded, as the router reads it. */
const decodedPath = (path: string) =>
  path.replace(/%[2-7][\da-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))

/**
 * Whether a page that embeds this URL, such as an image, would call an API operation other than a file.
 * @param own URLs of this service, the base for relative URLs first
 */
export function isApiUrl(url: string, serviceUrls: readonly string[]): boolean {
  if (!URL.canParse(url, serviceUrls[0])) return false
  const { hostname, pathname } = new URL(url, serviceUrls[0])
  // The scheme and port are ignored: a browser may upgrade http to https.
  if (!serviceUrls.some((serviceUrl) => URL.canParse(serviceUrl) && new URL(serviceUrl).hostname === hostname))
    return false
  const path = decodedPath(pathname)
  return /^\/+api(\/|$)/i.test(path) && !FILES.some((file) => file.test(path))
}
