import { ENGLISH_TEXTS } from "../../lib/texts/en.ts"
import { fillText } from "../../lib/texts/fill-text.ts"
import type { TextKey } from "../../lib/texts/texts.ts"

type RefusalKey = Extract<TextKey, `sso.${string}`>

/** Why a sign-in with a provider ended without a session. Its text is shown on a page and reveals no internals. */
export class SsoRefusal extends Error {
  override readonly name = "SsoRefusal"
  /**
   * 400: not started in this browser; 401: identity not proven; 403: not allowed to sign in here; 404: unknown
   * provider; 409: conflicting state; 502: the provider fails.
   */
  readonly status: 400 | 401 | 403 | 404 | 409 | 502
  /** The text of the page, with `provider` and `domain`. */
  readonly key: RefusalKey
  readonly params: Record<string, string>
  /** Details for the log, without secrets; not shown on the page. */
  readonly details: Record<string, string>

  constructor(
    status: SsoRefusal["status"],
    key: RefusalKey,
    params: Record<string, string> = {},
    details: Record<string, string> = {},
  ) {
    super(fillText(ENGLISH_TEXTS[key], params))
    this.status = status
    this.key = key
    this.params = params
    this.details = details
  }
}
