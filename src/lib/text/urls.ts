// URLs of this service among others: kept as paths, so that they hold under another address, and answered in full.

/** A path of this service as clients reach it; any other URL as it is. @param base without a slash at the end */
export const inFull = (base: string, url: string): string => (url.startsWith("/") ? `${base}${url}` : url)

/** What is kept of a URL: of one of this service the path. */
export const asKept = (base: string, url: string): string => (url.startsWith(`${base}/`) ? url.slice(base.length) : url)

/**
 * What the audit log and the feed show of a URL whose path or query may be its secret: where it leads. The origin of
 * `https://hooks.example.com/T1/secret` is `https://hooks.example.com`.
 */
export const originOf = (url: string): string => URL.parse(url)?.origin ?? ""
