import { Layout, useFrame } from "./page.tsx"

interface Props {
  /** Why the sign-in failed. */
  text: string
  /** The id to quote to support. */
  requestId: string
}

/** The page after a failed sign-in with a provider. */
export const SsoRefusalPage = ({ text, requestId }: Props) => (
  <Layout title="Sign-in failed">
    <main>
      <h1>Sign-in failed</h1>
      <p class="error" role="alert">
        {text}
      </p>
      <p>
        <a href="/login">{`Sign in to ${useFrame().site}`}</a>
      </p>
      <p>
        If the problem persists, include this id when you ask for help: <code>{requestId}</code>
      </p>
    </main>
  </Layout>
)

/** The page after signing out, which leads to the provider to sign out there. */
export const SignedOutPage = ({ name, url }: { name: string; url: string }) => (
  <Layout title="Signed out" refresh={url}>
    <main>
      <h1>Signed out</h1>
      <p>
        <a href={url}>{`Continue to sign out at ${name}`}</a>
      </p>
      <p>
        <a href="/login">{`Sign in to ${useFrame().site}`}</a>
      </p>
    </main>
  </Layout>
)
