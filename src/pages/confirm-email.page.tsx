import { Layout } from "./page.tsx"

interface Props {
  token: string
  /** The address that the account has. */
  email: string
  /** The address that it is to have. */
  wanted: string
  /** The name of the person's portal. */
  site: string | null
}

/** Asks whether an account is to have another address. It works without JavaScript. */
export const ConfirmEmailPage = ({ token, email, wanted, site }: Props) => (
  <Layout title="Confirm your email address" site={site}>
    <main>
      <h1>Confirm your email address</h1>
      <p>
        The account of {email} gets the address <strong>{wanted}</strong>. You are signed out everywhere, and sign in
        with the new address from then on.
      </p>
      <p>If you do not know that account, close this page: its owner would sign in with your address.</p>
      <form method="post" action="/email/confirm">
        <input type="hidden" name="token" value={token} />
        <button type="submit">Use this address</button>
      </form>
    </main>
  </Layout>
)
