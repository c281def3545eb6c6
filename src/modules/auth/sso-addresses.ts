/** Where a sign-in by a provider begins. @param base this service's origin, or empty for a path of it */
export const startUrl = (base: string, slug: string) => `${base}/sso/${slug}/start`

/** Where a provider sends the browser back: what is registered there. */
export const callbackUrl = (base: string, slug: string) => `${base}/sso/${slug}/callback`
