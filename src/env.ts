/** Bindings and variables: generated from wrangler.toml, and the secrets that only a deployment or a start sets. */
export type Bindings = Env & {
  /** All keys of the service are derived from this: sessions, sealed secrets, idempotency. 32 random bytes or more. */
  APP_SECRET: string
  /** The secrets before, or the next one, with commas: what was made under them holds still while one is rotated. */
  APP_SECRET_PREVIOUS?: string
  /** This service's own key at the credential provider. Without it, no groups are looked up. */
  CREDENTIAL_PROVIDER_KEY?: string
  /** The webinar provider's secret: it signs launches. Without it, none are given out. */
  WEBINAR_SECRET?: string
  /** The key of the HTTP API that MAIL_PROVIDER names; the `send_email` binding needs none. */
  MAIL_API_KEY?: string
  /** Of a development server: `log` prints what each batch of messages cost; `statements` also each request's SQL. */
  METER?: string
  /** Of a developer's machine: `allow` calls addresses over plain HTTP and in private networks. */
  OUTBOUND_PRIVATE?: string
}
