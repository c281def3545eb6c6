import { Layout, useFrame } from "./page.tsx"

interface Props {
  /** Why nobody was signed in, for whoever wanted to be. */
  text: string
  /** What to quote to whoever runs the academy. */
  requestId: string
}

/** What stands where a sign-in by a provider ended without one. */
export const SsoRefusalPage = ({ text, requestId }: Props) => (
  <Layout title="You are not signed in">
    <main>
      <h1>You are not signed in</h1>
      <p class="error" role="alert">
        {text}
      </p>
      <p>
        <a href="/login">{`Sign in to ${useFrame().site}`}</a>
      </p>
      <p>
        Should it go on, quote <code>{requestId}</code> when you ask for help.
      </p>
    </main>
  </Layout>
)
