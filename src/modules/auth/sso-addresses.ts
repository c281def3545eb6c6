/** Where a sign-in with a provider starts. @param base this service's origin, or empty for a path */
export const startUrl = (base: string, slug: string) => `${base}/sso/${slug}/start`

/** The redirect URI that is registered at the provider. */
export const callbackUrl = (base: string, slug: string) => `${base}/sso/${slug}/callback`

/** Where a provider reports that a person signed out there (OpenID Connect Back-Channel Logout). */
export const backchannelLogoutUrl = (base: string, slug: string) => `${base}/sso/${slug}/backchannel-logout`
