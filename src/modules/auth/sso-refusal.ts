/** Why a sign-in with a provider ended without a session. Its message is shown on a page and reveals no internals. */
export class SsoRefusal extends Error {
  override readonly name = "SsoRefusal"
  /**
   * 400: not started in this browser; 401: identity not proven; 403: not allowed to sign in here; 404: unknown
   * provider; 409: conflicting state; 502: the provider fails.
   */
  readonly status: 400 | 401 | 403 | 404 | 409 | 502
  /** Details for the log, without secrets; not shown on the page. */
  readonly details: Record<string, string>

  constructor(status: SsoRefusal["status"], message: string, details: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.details = details
  }
}
