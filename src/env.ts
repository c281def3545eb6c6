/** Bindings and variables: those generated from wrangler.toml, and secrets that only a deployment sets. */
export type Bindings = Env & {
  /** All keys of the service are derived from this: sessions, encryption, idempotency. At least 32 random bytes. */
  APP_SECRET: string
  /** Previous secrets, or the next one, separated by commas: during a rotation they remain valid. */
  APP_SECRET_PREVIOUS?: string
  /** The entry near the database that runs changes. Without it, they run in this Worker. */
  PRIMARY?: Fetcher
  /** The API key for the credential provider. Without it, groups are not looked up. */
  CREDENTIAL_PROVIDER_KEY?: string
  /** The webinar provider's secret, which signs join links. Without it, no links are created. */
  WEBINAR_SECRET?: string
  /** The key for the HTTP API of MAIL_PROVIDER; the `send_email` binding needs none. */
  MAIL_API_KEY?: string
  /** Development only: `log` prints the cost of each batch of messages; `statements` also prints each request's SQL. */
  METER?: string
  /** Development only: `allow` permits plain HTTP and private network addresses. */
  OUTBOUND_PRIVATE?: string
}
