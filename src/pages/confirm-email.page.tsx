import { Layout } from "./page.tsx"

interface Props {
  token: string
  /** The current address of the account. */
  email: string
  /** The new address. */
  newEmail: string
  /** The name of the person's portal. */
  site: string | null
}

/** Asks to confirm a new email address. It works without JavaScript. */
export const ConfirmEmailPage = ({ token, email, newEmail, site }: Props) => (
  <Layout title="Confirm your email address" site={site}>
    <main>
      <h1>Confirm your email address</h1>
      <p>
        The email address of the account {email} will be changed to <strong>{newEmail}</strong>. You will be signed out
        on all devices.
      </p>
      <p>If you don't recognize this account, close this page. Otherwise its owner could sign in with your address.</p>
      <form method="post" action="/email/confirm">
        <input type="hidden" name="token" value={token} />
        <button type="submit">Confirm email address</button>
      </form>
    </main>
  </Layout>
)
