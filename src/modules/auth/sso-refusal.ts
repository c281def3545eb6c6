/**
 * Why a provider's sign-in ended without a session. It is answered as a page: its message is for whoever looks at it,
 * and says nothing of what is inside.
 */
export class SsoRefusal extends Error {
  override readonly name = "SsoRefusal"
  /**
   * 400: not begun in this browser; 401: no proof of who it is; 403: nobody whom the provider signs in here; 404: no
   * such provider; 409: the state of things; 502: the provider fails.
   */
  readonly status: 400 | 401 | 403 | 404 | 409 | 502
  /** What the log tells beside: nothing secret, and nothing of it on the page. */
  readonly why: Record<string, string>

  constructor(status: SsoRefusal["status"], message: string, why: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.why = why
  }
}
